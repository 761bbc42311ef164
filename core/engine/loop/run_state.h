// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/policy/early_stop.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace roadtune::engine {

// The learning rate was set while the run went on; every group keeps its ratio to it.
struct RateEdit {
  double rate = 0, configured = 0;  // what the configuration said then: above 0
};

// Where a run stands, beside weights and moments. Equal on all ranks; a checkpoint holds it.
struct RunState {
  std::int64_t globalStep = 0;   // optimizer steps done
  std::int64_t epochIndex = 0;   // epoch at hand
  std::int64_t stepInEpoch = 0;  // steps done of it
  double epoch = 0;              // as logged: with its fraction

  double lossSinceLog = 0;   // sum of step losses not logged yet
  bool fedSinceLog = false;  // some of them are of samples
  std::int64_t lastLoggedStep = 0;
  double totalLoss = 0;  // logged so far
  double lastMean() const { return lastLoggedStep > 0 ? totalLoss / static_cast<double>(lastLoggedStep) : 0; }

  std::int64_t tokensSeen = 0;
  double flops = 0;
  double secondsBefore = 0;  // training time of earlier attempts
  std::int64_t nonFiniteInRow = 0;
  std::optional<RateEdit> rateEdit = {};
  double rateScale() const { return rateEdit ? rateEdit->rate / rateEdit->configured : 1.0; }
  policy::EarlyStopState best = {};
  std::string bestCheckpoint = {};
  bool evaluationOwed = false;                       // one that was due was given up, as the run was to stop
  std::int64_t samplesPerStep = 0;                   // of all ranks; 0: not known
  nlohmann::json history = nlohmann::json::array();  // log_history
};

// What trainer_state.json says besides.
struct TrainerFacts {
  std::int64_t maxSteps = 0, loggingSteps = 0, evalSteps = 0, saveSteps = 0, trainBatch = 0, epochs = 0;
};

// trainer_state.json with the keys of transformers.TrainerState.
std::string trainerStateText(const RunState& state, const TrainerFacts& facts);

// Our own part, exact: resume.json.
nlohmann::json toJson(const RunState& state);
Result<RunState> runStateFromJson(const nlohmann::json& json, const std::string& where);

}  // namespace roadtune::engine
