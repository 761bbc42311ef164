// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/run_config.h"
#include "core/model/numerics.h"
#include "core/policy/cadence.h"
#include "core/policy/lr_schedule.h"
#include "core/text/loc_codec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::engine {

// What a rank holds of weights, gradients and optimizer: all, its share, or its share among the ranks of its machine.
enum class Sharding { None, All, Hybrid };

// A learning rate and what it is for.
struct LearningRates {
  double base = 5e-5;
  std::optional<double> vision = {}, projector = {}, language = {}, embedding = {};
  double ofSecondMatrix = 1;  // of an adapter, in multiples of its first one's
};

// The parts of a run's configuration that the loop reads in every step, in types. Copied where live edits apply.
struct TrainSettings {
  model::Numerics numerics;
  std::string model;  // folder
  std::int64_t perDeviceBatch = 8, accumulation = 1, evalBatch = 8;
  double epochs = 3;
  std::int64_t maxSteps = -1;
  std::uint64_t seed = 42, dataSeed = 42;
  bool shuffle = true, dropLast = false;
  int workers = 0, prefetch = 2;
  bool skipBadSamples = true;
  bool deterministic = false;  // only kernels that give the same bits every time
  bool pinsMemory = true;
  text::LocDecoding locDecoding = text::LocDecoding::Over1023;

  LearningRates rates;
  double weightDecay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  bool eightBitMoments = false;
  bool pureBf16 = false;  // what trains is kept in 16 bits alone, where it may be
  double maxGradNorm = 1.0;
  bool bf16 = false;
  int recomputedBlocks = 0;  // of those that gradients reach, the first
  bool paddingFree = true;   // padding is worked on in attention alone
  bool perSampleLoss = false, tokensAcrossRanks = true;
  double labelSmoothing = 0;
  double neftuneAlpha = 0;              // 0: none
  std::optional<double> emaDecay = {};  // an average of the weights is kept

  bool stopOnNonFinite = false;
  std::int64_t maxNonFiniteSteps = 3;
  bool stopOnDivergence = false, watchDivergence = true;
  double divergenceRatio = 2.0;
  bool verifyUpdates = true;

  bool logFirstStep = false, filterNonFinite = true, tensorboard = true;
  bool provenance = true, lossLedger = true, saveOnlyModel = false;
  std::int64_t saveTotalLimit = 0;  // 0: all
  std::uint64_t maxShardBytes = 5'000'000'000;
  std::string adapterLayout = "auto";
  bool bestAtEnd = false, saveBest = false;
  int earlyStopPatience = 0;
  double earlyStopThreshold = 0;
  bool greaterIsBetter = false;
  std::string bestMetric = "loss";
  bool evalOnStart = false;
  double evalDelay = 0;  // steps or epochs, as eval_strategy counts
  std::int64_t probeSamples = 0, maxNewTokens = 256;
  Sharding sharding = Sharding::None;
  bool shardFrozen = true, reshardAfterForward = true;
  std::int64_t bucketBytes = 25'000'000;  // of gradients sent at a time
  int ddpTimeoutSeconds = 1800;
  int peerTimeoutSeconds = 120;  // 0: never
  std::optional<int> threads = {};
};

Result<TrainSettings> trainSettings(const config::RunConfig& config);

// Warm-up, decay and their arguments for a run of so many steps.
Result<policy::LrSchedule> scheduleOf(const config::RunConfig& config, std::int64_t totalSteps);

// When to log, evaluate and save.
struct Cadences {
  policy::Cadence log, evaluate, save;
};
Result<Cadences> cadencesOf(const config::RunConfig& config, std::int64_t totalSteps);

}  // namespace roadtune::engine
