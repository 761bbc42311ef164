// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/silent_peers.h"
#include "core/config/run_config.h"
#include "core/data/source/sample_source.h"
#include "core/engine/dist/distribution.h"
#include "core/engine/loader/encoded_sample.h"
#include "core/engine/loop/reporter.h"
#include "core/engine/loop/run_state.h"
#include "core/engine/loop/settings.h"
#include "core/engine/loop/step_profile.h"
#include "core/engine/nn/model_state.h"
#include "core/engine/optim/adamw.h"
#include "core/engine/optim/weight_average.h"
#include "core/policy/batch_plan.h"
#include "core/policy/lr_schedule.h"
#include "core/protocol/run_layout.h"

#include <memory>
#include <optional>

namespace roadtune::engine {

// Everything one rank of a run works with. Made by prepare(); the parts of the loop take it by reference.
struct Session {
  explicit Session(protocol::RunLayout runLayout) : layout(std::move(runLayout)) {}

  protocol::RunLayout layout;
  RankEnvironment environment;
  at::Device device = at::kCPU;  // of weights, gradients and optimizer
  config::RunConfig config;
  TrainSettings settings;
  std::unique_ptr<Reporter> reporter;
  std::unique_ptr<Communicator> ranks;
  std::unique_ptr<SilentPeers> silentPeers;                       // null: all ranks are on this machine
  std::shared_ptr<const data::SampleSource> trainData, evalData;  // limits applied; evalData may be null
  std::unique_ptr<SampleEncoder> encoder;
  std::shared_ptr<data::ImageCache> features;  // of a frozen vision tower; null: they are computed each time
  std::unique_ptr<ModelState> model;
  std::unique_ptr<AdamW> optimizer;
  std::unique_ptr<StepProfile> profile;    // null: none is asked for
  std::unique_ptr<WeightAverage> average;  // null without ema_decay
  std::unique_ptr<Distribution> distribution;
  std::optional<policy::LrSchedule> schedule;
  policy::BatchPlan plan;
  Cadences cadences;
  RunState state;
  ForwardContext context;
  bool attendsRows = false;  // attention takes packed rows without a mask
  double flopsPerToken = 0;
  double peakFlops = 0;  // of this rank's device; 0: not known

  std::int64_t padId() const { return encoder->tokenizer().special().pad; }
  std::int64_t trainSamples() const;
  std::int64_t evalSamples() const;
  bool writesAdapter() const { return model->tree.writesAdapter(); }
  double rate() const;  // of the next step, base
};

// Opens data, model and optimizer as run.yaml says, and continues from a checkpoint when it asks for one.
Status prepareData(Session& session);
Status prepareModel(Session& session);

}  // namespace roadtune::engine
