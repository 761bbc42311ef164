// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/records/waymo_types.h"
#include "core/data/synth/geometry.h"

#include <optional>
#include <span>
#include <vector>

namespace roadtune::data::synth {

// How a camera sits on the vehicle and what it sees, at full size.
struct CameraMount {
  Camera camera = Camera::Front;
  int width = 1920, height = 1280;
  double focal = 2055, centreU = 960, centreV = 640;  // pixels
  Vec3 position;                                      // vehicle frame: x forward, y left, z up
  double yaw = 0;
  double delay = 0;  // seconds from the frame's time to the exposure
};

const CameraMount& cameraMount(Camera camera);

// A pinhole camera at a place in the world: no roll, no pitch, no distortion.
class View {
 public:
  View(const CameraMount& mount, double scale, Vec3 vehicle);

  int width() const { return m_width; }
  int height() const { return m_height; }
  double focalU() const { return m_focalU; }
  double focalV() const { return m_focalV; }
  double centreU() const { return m_centreU; }
  double centreV() const { return m_centreV; }
  double horizon() const { return m_centreV; }
  const Vec3& eye() const { return m_eye; }

  // Forward (depth), left, up in metres, seen from the camera.
  Vec3 toCamera(Vec3 world) const { return m_turn.back(world - m_eye); }
  Vec3 toWorldDirection(Vec3 camera) const { return m_turn(camera); }
  Vec2 toPixel(Vec3 camera) const {
    return {m_centreU - m_focalU * camera.y / camera.x, m_centreV - m_focalV * camera.z / camera.x};
  }

  // The pixel of a point in front of the camera.
  std::optional<Vec2> project(Vec3 world) const;

  // A flat polygon, cut at the near plane; empty when nothing is left. The result lives until the next call.
  std::span<const Vec2> project(std::span<const Vec3> polygon);

  // Pixels per metre at a point; 0 behind the camera.
  double sizeAt(Vec3 world) const;

  // False when a ball around `world` certainly does not touch the picture.
  bool sees(Vec3 world, double radius) const;

 private:
  int m_width, m_height;
  double m_focalU, m_focalV, m_centreU, m_centreV;
  Vec3 m_eye;
  Turn m_turn;
  std::vector<Vec2> m_points;
};

inline constexpr double kNearPlane = 0.3;

}  // namespace roadtune::data::synth
