// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/comparison.h"
#include "core/runs/diagnosis.h"
#include "core/runs/run_facts.h"
#include "widgets/plot/axis_range.h"
#include "widgets/plot/curve_data.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::widgets {

// What the Runs page wants to see of a run.
struct PlotRequest {
  XAxis axis = XAxis::Step;
  Range visible{0, 1};
  bool fitted = true;  // the whole run, growing with it
  int columns = 400;
  double smoothing = 0.6;
  int logRank = 0;          // whose log; -1 is the agent's
  QStringList beside = {};  // folders of other runs whose curves are drawn along
  QList<int> colours = {};  // of the run on show, then of those; empty: it is alone
  bool operator==(const PlotRequest&) const = default;
};

struct PlotCurves {
  std::vector<CurveSpec> specs;
  std::vector<CurveData> curves;
};

// One picture of a run, made on a worker thread and handed to the page; nobody changes it afterwards.
struct RunFrame {
  QString folder, name;
  QString error;  // the run cannot be read; everything else is then empty
  std::uint64_t revision = 0;
  runs::RunState state = runs::RunState::Created;
  bool foreign = false;
  bool reading = false;        // a long run is still being read: its end may be yet to come
  std::optional<double> asOf;  // of a run elsewhere that nobody follows: when this was true
  runs::RunProgress progress;
  runs::StepAnatomy anatomy;
  std::optional<runs::StartInfo> start;
  std::optional<runs::EndInfo> end;
  std::optional<runs::ReceiptInfo> receipt;
  std::vector<runs::Phase> phases;
  std::vector<runs::ProcessInfo> processes;
  std::vector<runs::CheckpointInfo> checkpoints;
  std::vector<runs::Notice> notices;
  std::vector<std::string> log;  // the last lines of the log asked for
  std::vector<int> logRanks;
  QString config;
  std::optional<double> loss, samplesPerSecond;
  PlotRequest request;  // what the curves answer
  Range whole{0, 1};
  std::map<QString, PlotCurves> plots;              // by key of the grid: "loss", "throughput", ...
  std::vector<std::pair<QString, QString>> others;  // keys and titles of plots that only this run has
  std::size_t lossPoints = 0;
  std::vector<runs::Verdict> verdicts;  // the gravest first
  // Of each run drawn along: its name, and what was set differently in it.
  std::vector<std::pair<QString, std::vector<runs::SettingDifference>>> besideDifferences;
};

using RunFramePtr = std::shared_ptr<const RunFrame>;

// Goes on, and was told to hold at a step.
bool isPaused(const RunFrame& frame);

// Has a checkpoint to go on from; also one that lies on the machine it ran on.
bool isResumable(const RunFrame& frame);

// The plots of the page, in order.
struct PlotInfo {
  const char* key;
  const char* title;
  ValueKind kind;
  bool fromZero;
  bool percent;
  bool shown;  // at first
};
const std::vector<PlotInfo>& plotInfos();
const QStringList& comparedPlots();  // keys of those in which several runs are drawn

}  // namespace roadtune::widgets

Q_DECLARE_METATYPE(roadtune::widgets::RunFramePtr)
Q_DECLARE_METATYPE(roadtune::widgets::PlotRequest)
