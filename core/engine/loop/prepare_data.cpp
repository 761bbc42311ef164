// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/data_doubts.h"
#include "core/data/source/run_sources.h"
#include "core/engine/cuda/kernels.h"
#include "core/engine/loop/session.h"
#include "core/engine/nn/ops.h"
#include "core/model/processor_config.h"

namespace roadtune::engine {
namespace {

data::BoxOrder boxOrder(const std::string& name) {
  if (name == "top_left") return data::BoxOrder::TopLeft;
  if (name == "area") return data::BoxOrder::Area;
  if (name == "stored") return data::BoxOrder::Stored;
  return data::BoxOrder::Shuffle;
}

data::TaskTemplate taskTemplate(const config::RunConfig& config) {
  data::TaskTemplate task;
  task.task = config.text("task");
  task.classes = config.list("classes");
  task.order = boxOrder(config.text("box_order"));
  task.minBoxPx = config.number("min_box_px");
  task.maxBoxes = static_cast<int>(config.integer("max_boxes"));
  task.includeEmpty = config.flag("include_empty");
  task.prompt = config.text("prompt_template");
  task.seed = static_cast<std::uint64_t>(config.integer("seed"));
  return task;
}

Result<std::unique_ptr<data::SampleSource>> open(const Session& session, const char* name,
                                                 const data::TaskTemplate& task) {
  std::vector<data::SourceSpec> specs;
  for (const auto& source : session.config.sources(name))
    specs.push_back({.path = source.path,
                     .query = source.query,
                     .weight = source.weight,
                     .task = source.task,
                     .images = source.images,
                     .prepared = session.layout.preparedData().string()});
  return data::openMix(specs, task);
}

// Boxes in an order of their own for evaluation: what is compared must not change from one to the next.
data::TaskTemplate forEvaluation(data::TaskTemplate task) {
  if (task.order == data::BoxOrder::Shuffle) task.order = data::BoxOrder::TopLeft;
  return task;
}

Status openSources(Session& session, const data::TaskTemplate& task) {
  const auto& config = session.config;
  ROADTUNE_TRY(session.trainData, open(session, "train_data", task));
  if (!config.sources("eval_data").empty()) {
    ROADTUNE_TRY(session.evalData, open(session, "eval_data", forEvaluation(task)));
  } else if (const auto held = data::holdOutOf(config)) {
    ROADTUNE_TRY(std::shared_ptr<const data::SampleSource> same, open(session, "train_data", forEvaluation(task)));
    ROADTUNE_TRY(session.evalData,
                 data::splitByGroup(std::move(same), held->share, held->seed, data::SplitPart::HeldOut));
  }
  ROADTUNE_TRY(session.trainData, data::learntFrom(config, std::move(session.trainData)));
  if (session.evalData) session.evalData = data::limitedBy(config, "max_eval_samples", std::move(session.evalData));
  if (session.trainSamples() == 0) return data::holdsNothing("training", "train_data");
  // Not at the first evaluation, for which a card may have worked for hours.
  if (session.evalData && session.evalSamples() == 0 && config.text("eval_strategy") != "no")
    return data::holdsNothing("evaluation", "eval_data");
  return {};
}

// One rank says it for all, before the first step: nothing is wrong with the run, but with what it will tell.
void tellDoubts(const Session& session) {
  constexpr double kLookSeconds = 3;
  if (!session.environment.leads()) return;
  for (const Error& doubt : data::doubtsAboutClasses(*session.trainData)) session.reporter->warning(doubt);
  for (const Error& doubt : data::doubtsAboutEvaluation(*session.trainData, session.evalData.get(), kLookSeconds))
    session.reporter->warning(doubt);
}

Result<EncoderExtras> encoderExtras(const config::RunConfig& config, const model::ProcessorConfig& processor) {
  EncoderExtras extras;
  if (config.flag("augment"))
    extras.augment = data::AugmentSpec{config.number("augment_flip"), config.number("augment_crop"),
                                       config.number("augment_scale"), config.number("augment_color")};
  const auto kind = config.text("image_cache");
  const auto limit = [&](double otherwise) {
    return static_cast<std::uint64_t>(
        (config.has("image_cache_limit") ? config.number("image_cache_limit") : otherwise) * 1e9);
  };
  constexpr double kMemoryGb = 4, kDiskGb = 100;
  if (kind == "memory") extras.cache = data::makeMemoryCache(limit(kMemoryGb));
  if (kind != "disk") return extras;
  const auto folder =
      config.has("image_cache_dir") ? fs::path(config.text("image_cache_dir")) : data::defaultImageCacheFolder();
  const auto side = static_cast<std::size_t>(processor.imageSize);
  const auto variant = std::to_string(side) + (processor.convertRgb ? "-white" : "-drop") + "-1";
  ROADTUNE_TRY(extras.cache, data::openDiskCache(folder, variant, 3 * side * side, limit(kDiskGb)));
  return extras;
}

LongSamples longSamples(const std::string& name) {
  return name == "skip" ? LongSamples::Skip : name == "stop" ? LongSamples::Stop : LongSamples::Cut;
}

}  // namespace

Status prepareData(Session& session) {
  const auto& config = session.config;
  ROADTUNE_CHECK(openSources(session, taskTemplate(config)));
  tellDoubts(session);
  const std::filesystem::path folder = session.settings.model;
  const auto tokenizerFolder =
      config.has("tokenizer_name_or_path") ? config.text("tokenizer_name_or_path") : folder.string();
  ROADTUNE_TRY(auto tokenizer, text::Tokenizer::load(tokenizerFolder));
  ROADTUNE_TRY(auto processor, model::ProcessorConfig::fromFolder(folder));
  ROADTUNE_TRY(const auto model, model::PaliGemmaConfig::fromFolder(folder));
  processor.imageSize = model.vision.imageSize;
  ROADTUNE_CHECK(model::checkImageSize(config, model));
  ROADTUNE_TRY(auto extras, encoderExtras(config, processor));
  if (cuda::kernelsOn(session.device)) extras.levels = pixelLevels(processor);
  session.encoder =
      std::make_unique<SampleEncoder>(std::move(tokenizer), processor, model.imageTokens(),
                                      config.has("max_length") ? static_cast<int>(config.integer("max_length")) : 0,
                                      longSamples(config.text("on_long_sample")), std::move(extras));

  ROADTUNE_TRY(session.plan, policy::BatchPlan::make(
                                 policy::batchSpecOf(config, session.trainSamples(), session.environment.worldSize)));
  ROADTUNE_TRY(session.schedule, scheduleOf(config, session.plan.totalSteps));
  ROADTUNE_TRY(session.cadences, cadencesOf(config, session.plan.totalSteps));
  return {};
}

}  // namespace roadtune::engine
