// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/settings.h"

#include "core/base/text.h"
#include "core/config/eval_metrics.h"
#include "core/model/memory_plan.h"

namespace roadtune::engine {
namespace {

std::optional<double> numberIfSet(const config::RunConfig& config, const char* name) {
  if (!config.has(name)) return std::nullopt;
  return config.number(name);
}

void readOptimization(const config::RunConfig& config, TrainSettings& s) {
  s.rates = {config.number("learning_rate"), numberIfSet(config, "vision_tower_learning_rate"),
             numberIfSet(config, "multi_modal_projector_learning_rate"),
             numberIfSet(config, "language_model_learning_rate"), numberIfSet(config, "embedding_learning_rate")};
  if (config.usesLora()) s.rates.ofSecondMatrix = config.number("loraplus_lr_ratio");
  s.weightDecay = config.number("weight_decay");
  s.beta1 = config.number("adam_beta1");
  s.beta2 = config.number("adam_beta2");
  s.epsilon = config.number("adam_epsilon");
  s.eightBitMoments = config.text("optim") == "adamw_8bit";
  s.maxGradNorm = config.number("max_grad_norm");
  s.pureBf16 = config.flag("pure_bf16");
  s.bf16 = config.flag("bf16") || s.pureBf16;
  s.recomputedBlocks = model::stepShapeFrom(config).recomputedBlocks();
  s.paddingFree = config.flag("padding_free");
  s.perSampleLoss = config.text("loss_reduction") == "sample";
  s.tokensAcrossRanks = config.flag("average_tokens_across_devices");
  s.labelSmoothing = config.number("label_smoothing_factor");
  s.neftuneAlpha = config.number("neftune_noise_alpha");
  s.emaDecay = numberIfSet(config, "ema_decay");
  s.stopOnNonFinite = config.text("on_non_finite") == "stop";
  s.maxNonFiniteSteps = config.integer("max_non_finite_steps");
  s.watchDivergence = config.text("on_divergence") != "ignore";
  s.stopOnDivergence = config.text("on_divergence") == "stop";
  s.divergenceRatio = config.number("divergence_ratio");
  s.verifyUpdates = config.flag("verify_updates");
}

void readData(const config::RunConfig& config, TrainSettings& s) {
  s.perDeviceBatch = config.integer("per_device_train_batch_size");
  s.accumulation = config.integer("gradient_accumulation_steps");
  s.evalBatch = config.integer("per_device_eval_batch_size");
  s.epochs = config.number("num_train_epochs");
  s.maxSteps = config.integer("max_steps");
  s.seed = static_cast<std::uint64_t>(config.integer("seed"));
  s.dataSeed = config.has("data_seed") ? static_cast<std::uint64_t>(config.integer("data_seed")) : s.seed;
  s.shuffle = config.flag("shuffle");
  s.dropLast = config.flag("dataloader_drop_last");
  if (config.has("dataloader_num_workers")) s.workers = static_cast<int>(config.integer("dataloader_num_workers"));
  s.prefetch =
      config.has("dataloader_prefetch_factor") ? static_cast<int>(config.integer("dataloader_prefetch_factor")) : 2;
  s.skipBadSamples = config.text("on_bad_sample") == "skip";
  s.deterministic = config.flag("full_determinism");
  s.pinsMemory = config.flag("dataloader_pin_memory");
  if (config.text("loc_decoding") == "1024") s.locDecoding = text::LocDecoding::Over1024;
}

void readOutput(const config::RunConfig& config, TrainSettings& s) {
  s.logFirstStep = config.flag("logging_first_step");
  s.filterNonFinite = config.flag("logging_nan_inf_filter");
  s.tensorboard = false;
  for (const auto& name : config.list("report_to"))
    s.tensorboard = s.tensorboard || name == "tensorboard" || name == "all";
  s.provenance = config.flag("record_provenance");
  s.lossLedger = config.flag("record_sample_losses");
  s.saveOnlyModel = config.flag("save_only_model");
  s.saveTotalLimit = config.has("save_total_limit") ? config.integer("save_total_limit") : 0;
  s.maxShardBytes = static_cast<std::uint64_t>(config.number("max_shard_size") * 1e9);
  s.adapterLayout = config.text("adapter_layout");
  s.bestAtEnd = config.flag("load_best_model_at_end");
  s.saveBest = config.text("save_strategy") == "best";
  s.earlyStopPatience = static_cast<int>(config.integer("early_stopping_patience"));
  s.earlyStopThreshold = config.number("early_stopping_threshold");
  if (config.has("metric_for_best_model"))
    s.bestMetric = config::evalMetric(config.text("metric_for_best_model")).value_or("");
  s.greaterIsBetter =
      config.has("greater_is_better") ? config.flag("greater_is_better") : config::moreIsBetter(s.bestMetric);
  s.evalOnStart = config.flag("eval_on_start");
  s.evalDelay = config.number("eval_delay");
  s.probeSamples = config.flag("prediction_loss_only") ? 0 : config.integer("num_probe_samples");
  s.maxNewTokens = config.integer("max_new_tokens");
}

void readDistribution(const config::RunConfig& config, TrainSettings& s) {
  const auto word = config.text("sharding");
  s.sharding = word == "hybrid" ? Sharding::Hybrid : word == "sharded" ? Sharding::All : Sharding::None;
  s.shardFrozen = config.flag("shard_frozen_weights");
  s.reshardAfterForward = config.flag("reshard_after_forward");
  s.bucketBytes = config.integer("ddp_bucket_cap_mb") * 1'000'000;
  s.ddpTimeoutSeconds = static_cast<int>(config.integer("ddp_timeout"));
  s.peerTimeoutSeconds = static_cast<int>(config.integer("peer_timeout"));
}

// What is asked for and cannot be done is said before anything starts, not left out in silence.
Status refuseUnsupported(const config::RunConfig& config, const TrainSettings& s) {
  if (config.text("cache_vision_features") != "off" && s.sharding != Sharding::None)
    return badInput("features are kept only where every rank holds the whole tower", "cache_vision_features",
                    "set sharding: ddp");
  if (config.text("cache_vision_features") != "off" && config.flag("augment"))
    return badInput("augmented pictures are new every time", "cache_vision_features", "set augment: false");
  if (s.sharding != Sharding::None && config.has("ema_decay"))
    return badInput("averages are kept only where every rank holds the whole model", "ema_decay", "set sharding: ddp");
  if (s.bestMetric.empty())
    return badInput("evaluation has no metric of that name", "metric_for_best_model",
                    "one of " + join(config::evalMetrics(), ", "));
  return {};
}

}  // namespace

Result<TrainSettings> trainSettings(const config::RunConfig& config) {
  TrainSettings s;
  ROADTUNE_TRY(s.numerics, model::numericsOf(config.text("profile")));
  s.model = config.text("model_name_or_path");
  readOptimization(config, s);
  readData(config, s);
  readOutput(config, s);
  s.perSampleLoss = s.perSampleLoss || s.numerics.perExampleLoss;
  readDistribution(config, s);
  if (config.has("torch_num_threads")) s.threads = static_cast<int>(config.integer("torch_num_threads"));
  if (config.flag("fp16")) return badInput("float16 training is not offered", "fp16", "use bf16: true");
  ROADTUNE_CHECK(refuseUnsupported(config, s));
  return s;
}

Result<policy::LrSchedule> scheduleOf(const config::RunConfig& config, std::int64_t totalSteps) {
  policy::LrScheduleSpec spec;
  ROADTUNE_TRY(spec.kind, policy::parseScheduleKind(config.text("lr_scheduler_type")));
  spec.learningRate = config.number("learning_rate");
  spec.warmupSteps = config.warmupSteps(totalSteps);
  spec.totalSteps = totalSteps;
  for (const auto& [name, value] : config.numberMap("lr_scheduler_kwargs")) {
    if (name == "num_cycles") spec.numCycles = value;
    if (name == "power") spec.power = value;
    if (name == "lr_end") spec.lrEnd = value;
    if (name == "min_lr_rate" || name == "min_lr_ratio") spec.minLrRate = value;
    if (name == "min_lr") spec.minLrRate = spec.learningRate > 0 ? value / spec.learningRate : 0;
    if (name == "warmup_lr_rate") spec.warmupLrRate = value;
    if (name == "timescale") spec.timescale = static_cast<std::int64_t>(value);
    if (name == "num_stable_steps") spec.stableSteps = static_cast<std::int64_t>(value);
    if (name == "num_decay_steps") spec.decaySteps = static_cast<std::int64_t>(value);
  }
  for (const auto& [name, value] : config.textMap("lr_scheduler_kwargs")) {
    if (name != "warmup_type" && name != "decay_type") continue;
    auto& shape = name == "warmup_type" ? spec.warmupShape : spec.decayShape;
    ROADTUNE_TRY(shape, policy::parseRampShape(value, "lr_scheduler_kwargs." + name));
  }
  return policy::LrSchedule::make(spec);
}

Result<Cadences> cadencesOf(const config::RunConfig& config, std::int64_t totalSteps) {
  const auto cadence = [&](const char* strategy, const char* steps) -> Result<policy::Cadence> {
    const auto word = config.text(strategy);
    if (word == "best") return policy::Cadence();
    ROADTUNE_TRY(const auto unit, policy::parseCadenceUnit(word));
    return policy::Cadence::make(unit, static_cast<double>(config.steps(steps, totalSteps)), totalSteps, steps);
  };
  Cadences result;
  ROADTUNE_TRY(result.log, cadence("logging_strategy", "logging_steps"));
  ROADTUNE_TRY(result.evaluate, cadence("eval_strategy", "eval_steps"));
  ROADTUNE_TRY(result.save, cadence("save_strategy", "save_steps"));
  return result;
}

}  // namespace roadtune::engine
