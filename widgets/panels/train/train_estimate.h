// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/run_config.h"
#include "core/data/quality/text_length.h"
#include "core/model/memory_plan.h"
#include "core/model/module_tree.h"

#include <QMetaType>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace roadtune::widgets {

// What a configuration means for this machine; made on a worker thread.
struct TrainEstimate {
  std::uint64_t ticket = 0;                       // which configuration this answers
  std::shared_ptr<const model::ModuleTree> tree;  // null: see `error`
  QString error;                                  // why there is no tree, in words
  QString modelName;
  model::MemoryPlan plan;
  data::PlannedLength length;  // of the text of a sample, that the plan goes by
  std::uint64_t memory = 0;    // what a process may use: the graphics card's, or its share of the machine's
  QString memoryTitle;         // "Memory of this machine"
  std::optional<std::int64_t> samples, steps;  // of the training data, of the whole run
  std::int64_t doneSteps = 0;                  // of these, by the checkpoint that the run goes on from
  std::uint64_t checkpointBytes = 0;           // of one
  QString fitWords;                            // what would make it fit, or faster where it does; may be empty
  std::vector<std::pair<QString, config::Value>> fitValues;
  int processes = 1, machines = 1;  // on each machine, and how many of those
  std::vector<config::Problem> pathProblems;
  QString freeFolder;  // the next name beside the folder of the run, where that cannot take a run
};
using TrainEstimatePtr = std::shared_ptr<const TrainEstimate>;

}  // namespace roadtune::widgets

Q_DECLARE_METATYPE(roadtune::widgets::TrainEstimatePtr)
