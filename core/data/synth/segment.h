// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/generate.h"
#include "core/data/synth/renderer.h"

namespace roadtune::data::synth {

// Everything a segment's frames share, and the frames one by one. Frames may be made in any order and by several
// threads at once.
class Segment {
 public:
  Segment(const SynthOptions& options, int index);

  // `image` counts the cameras in the order in which Waymo stores them.
  struct Shot {
    std::string jpeg;
    WaymoImage image;
    WaymoCameraLabels labels, projected;
  };
  std::size_t shots() const { return m_cameras.size(); }
  Result<Shot> shoot(int frame, std::size_t image) const;

  // The frame without its pictures.
  WaymoFrame describe(int frame) const;
  const std::string& context() const { return m_context; }
  const Scene& scene() const { return m_scene; }

 private:
  Transform poseAt(double time) const;
  WaymoCalibration calibrationOf(const CameraMount& mount) const;
  WaymoLabel laserLabel(const Actor& actor, double time) const;
  WaymoLabel laserLabel(const SignPost& sign, double time) const;
  void addProjected(const View& view, const WaymoLabel& label, double time, WaymoCameraLabels& out) const;
  std::vector<WaymoLabel> laserLabels(double time) const;
  std::vector<WaymoObjectCount> countObjects(int frames) const;

  SynthOptions m_options;
  std::string m_context;
  Scene m_scene;
  std::vector<Camera> m_cameras;
  std::vector<WaymoObjectCount> m_counts;
  std::int64_t m_startMicros = 0;
  double m_heading = 0;  // of the road in the global frame
  Vec3 m_offset;
};

}  // namespace roadtune::data::synth
