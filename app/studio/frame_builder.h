// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/sample_count.h"
#include "core/runs/run_store.h"
#include "core/runs/smoothing.h"
#include "widgets/panels/runs/run_frame.h"

#include <map>
#include <string>

namespace roadtune::studio {

// Makes what the Runs page shows out of a run: decimates, smooths, puts series over time on the step axis.
// Keeps smoothed series between two frames, so a live run costs only its new points. One thread at a time.
class FrameBuilder {
 public:
  widgets::RunFramePtr build(const runs::RunStore& store, const widgets::PlotRequest& request);

  static int processesOf(const runs::RunStore& store);  // of all machines
  // The step at a place on the horizontal axis.
  double stepAt(const runs::RunStore& store, widgets::XAxis axis, double x);

 private:
  struct Smoothed {
    double weight = 0;
    std::uint64_t generation = 0;
    runs::Smoother smoother{0};
    runs::Series series;
  };
  struct View;
  const runs::Series& smoothed(const std::string& metric, const runs::Series& raw, double weight);
  void addCurve(const View& view, widgets::PlotCurves& plot, const runs::Series& series, widgets::CurveSpec spec) const;
  // Smoothed, before the raw values; these are in the legend where they have a name.
  void addPair(const View& view, widgets::PlotCurves& plot, const std::string& metric, widgets::CurveSpec spec,
               const QString& rawName = {});
  void fillPlots(const View& view, widgets::RunFrame& frame);
  void fillEvaluation(const View& view, widgets::PlotCurves& plot) const;
  void fillOthers(const View& view, widgets::RunFrame& frame);
  void fillSystemPlots(const View& view, widgets::RunFrame& frame);
  std::map<std::string, Smoothed> m_smoothed;
  SampleCount m_samples;
};

}  // namespace roadtune::studio
