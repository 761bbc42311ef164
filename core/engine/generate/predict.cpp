// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/predict.h"

#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/engine/generate/greedy.h"
#include "core/engine/loader/batch_loader.h"
#include "core/engine/loader/collate.h"
#include "core/engine/nn/device.h"
#include "core/engine/nn/guarded.h"
#include "core/engine/nn/model_state.h"
#include "core/engine/nn/placement.h"
#include "core/engine/nn/tell_tensors.h"
#include "core/model/adapter_config.h"
#include "core/text/detection_text.h"

#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::engine {
namespace {

using nlohmann::json;

struct Predictor {
  const PredictRequest& request;
  std::unique_ptr<data::SampleSource> source;
  std::unique_ptr<SampleEncoder> encoder;
  std::unique_ptr<ModelState> model;
  ForwardContext context;
  at::Device device = at::kCPU;
  std::vector<std::int64_t> categories;  // one id per requested class
  json results = json::array();
  std::string texts;
  PredictReport report;
};

// Those of the data, else the next ones. Names may differ in upper and lower case.
std::vector<std::int64_t> categoryIds(const std::vector<std::string>& classes, const data::SampleSource& source) {
  const auto numbers = source.categoryNumbers();
  std::int64_t next = 1;
  for (const auto& [name, number] : numbers) next = std::max(next, number + 1);
  std::vector<std::int64_t> ids;
  for (const auto& name : classes) {
    auto found = numbers.find(name);
    if (found == numbers.end())
      found = std::ranges::find_if(numbers, [&](const auto& one) { return lower(one.first) == lower(name); });
    ids.push_back(found == numbers.end() ? next++ : found->second);
  }
  return ids;
}

// An empty file of results would look like a model that found nothing.
Status checkHoldsSomething(const PredictRequest& request, const data::SampleSource& source) {
  if (source.size() > 0) return {};
  if (!request.query.empty())
    return badInput("no image to predict answers '" + request.query + "'", "--query",
                    "loosen it; pictures that could not be read are left out");
  return badInput("holds no image to predict", request.data, "`roadtune data info` counts what is there");
}

Status openAll(Predictor& p, ProgressSink& progress) {
  const auto& request = p.request;
  ROADTUNE_TRY(p.device, openDevice(request.device));
  data::TaskTemplate task;
  task.classes = request.classes;
  task.unlabelled = true;
  ROADTUNE_TRY(p.source,
               data::openSource({.path = request.data, .query = request.query, .images = request.images}, task));
  ROADTUNE_CHECK(checkHoldsSomething(request, *p.source));
  p.categories = categoryIds(request.classes, *p.source);
  ROADTUNE_TRY(auto tokenizer, text::Tokenizer::load(request.model));
  ROADTUNE_TRY(auto processor, model::ProcessorConfig::fromFolder(request.model));
  LoadOptions options;
  options.folder = request.model;
  options.read = [&progress](auto done, auto of) { return tellTensors(progress, "reading", done, of); };
  options.leaves = p.device.is_cuda();
  options.method.type = model::FinetuningType::Full;
  if (!request.adapter.empty()) {
    ROADTUNE_TRY(options.method, model::readAdapterConfig(request.adapter));
    options.adapter = request.adapter;
  }
  if (request.dtype == "float32")
    options.frozenType = at::kFloat;
  else if (request.dtype == "bfloat16")
    options.frozenType = at::kBFloat16;
  else if (request.dtype != "auto")
    return badInput("unknown type '" + request.dtype + "'", "--dtype");
  ROADTUNE_TRY(p.model, loadModel(options));
  placeOn(p.device, *p.model);
  ROADTUNE_TRY(p.context.numerics, model::numericsOf(request.profile));
  p.context.type = options.frozenType.value_or(p.model->storedType());
  processor.imageSize = p.model->tree.config.vision.imageSize;
  p.encoder = std::make_unique<SampleEncoder>(std::move(tokenizer), processor, p.model->tree.config.imageTokens(), 0,
                                              LongSamples::Cut);
  chooseThreads(p.model->tree.allParameters(), 1);
  return {};
}

void addResult(Predictor& p, std::int64_t index, const EncodedSample& sample, const Generated& generated) {
  const auto& tokenizer = p.encoder->tokenizer();
  const json number =
      std::visit([](const auto& id) { return json(id); }, p.source->imageId(static_cast<std::size_t>(index)));
  const auto parsed =
      text::parseDetections(tokenizer, generated.ids, sample.width, sample.height,
                            p.request.locOver1024 ? text::LocDecoding::Over1024 : text::LocDecoding::Over1023);
  p.report.malformed += static_cast<std::int64_t>(parsed.malformed);
  for (const auto& box : parsed.boxes) {
    const auto known = std::find(p.request.classes.begin(), p.request.classes.end(), std::string(trim(box.label)));
    if (!box.valid || known == p.request.classes.end()) {
      ++p.report.malformed;
      continue;
    }
    const auto& b = box.box;
    p.results.push_back({{"image_id", number},
                         {"category_id", p.categories[static_cast<std::size_t>(known - p.request.classes.begin())]},
                         {"bbox", {b.x1, b.y1, b.x2 - b.x1, b.y2 - b.y1}},
                         {"score", meanProbability(generated, box.firstToken, box.tokens)},
                         {"image", sample.id},
                         {"category", *known}});
    ++p.report.boxes;
  }
  const json line = {{"image_id", number},
                     {"image", sample.id},
                     {"text", tokenizer.decode(generated.ids)},
                     {"ended", generated.ended},
                     {"score", meanProbability(generated, 0, generated.probabilities.size())}};
  p.texts += jsonLine(line) + "\n";
}

constexpr std::int64_t kNamed = 5;  // of the pictures that cannot be read

Error endedEarly(const Predictor& p, std::int64_t total) {
  return cancelled("cancelled after " + formatCount(p.report.images + p.report.unreadable) + " of " +
                   counted(total, "image") + ": nothing was written to " + p.request.out.string());
}

Status runAll(Predictor& p, ProgressSink& progress) {
  const c10::NoGradGuard noGrad;
  const auto total = p.request.limit > 0
                         ? std::min<std::int64_t>(p.request.limit, static_cast<std::int64_t>(p.source->size()))
                         : static_cast<std::int64_t>(p.source->size());
  std::vector<std::vector<std::int64_t>> batches;
  for (std::int64_t i = 0; i < total; ++i) {
    if (i % p.request.batch == 0) batches.emplace_back();
    batches.back().push_back(i);
  }
  BatchLoader loader(
      [&p](std::int64_t i) -> Result<EncodedSample> {
        ROADTUNE_TRY(const auto sample, p.source->get(static_cast<std::size_t>(i)));
        return p.encoder->encode(sample, false);
      },
      std::move(batches), {p.request.workers, 2 * p.request.workers});
  while (loader.remaining() > 0) {
    const auto loaded = loader.next();
    for (const Error& error : loaded.bad)
      if (++p.report.unreadable <= kNamed) p.report.causes.push_back(error);
    if (loaded.samples.empty()) continue;
    const auto batch = placed(collate(loaded.samples, p.encoder->imageSize(), p.encoder->tokenizer().special().pad),
                              p.device, p.model->tree.config.imageTokenId);
    const auto tell = [&] {
      return progress.report({.stage = "predicting",
                              .done = static_cast<std::uint64_t>(p.report.images + p.report.unreadable),
                              .total = static_cast<std::uint64_t>(total),
                              .unit = "images"});
    };
    const auto generated = generateGreedily(*p.model->network, batch, p.context, p.request.maxNewTokens, tell);
    if (generated.empty()) return endedEarly(p, total);
    for (std::size_t i = 0; i < generated.size(); ++i) addResult(p, loaded.indices[i], loaded.samples[i], generated[i]);
    p.report.images += static_cast<std::int64_t>(generated.size());
    if (!tell()) return endedEarly(p, total);
  }
  if (p.report.images == 0 && !p.report.causes.empty()) return p.report.causes.front();
  return {};
}

Status checkNumbers(const PredictRequest& request) {
  constexpr int kMostWorkers = 1024;
  if (request.batch < 1) return badInput("must be at least 1", "--batch-size");
  if (request.maxNewTokens < 1) return badInput("must be at least 1", "--max-new-tokens");
  if (request.limit < 0) return badInput("must be at least 0", "--limit", "0 takes all");
  if (request.workers < 0 || request.workers > kMostWorkers)
    return badInput("must be from 0 to " + std::to_string(kMostWorkers), "--workers");
  return {};
}

Result<PredictReport> predictUnguarded(const PredictRequest& request, ProgressSink& progress) {
  ROADTUNE_CHECK(checkNumbers(request));
  ROADTUNE_CHECK(replaceableFile(request.out));  // after the work it would be too late
  Predictor p{request};
  ROADTUNE_CHECK(openAll(p, progress));
  ROADTUNE_CHECK(runAll(p, progress));
  ROADTUNE_CHECK(writeFileAtomically(request.out, jsonLine(p.results) + "\n"));
  ROADTUNE_CHECK(writeFileAtomically(request.out.string() + ".texts.jsonl", p.texts));
  return p.report;
}

}  // namespace

Result<PredictReport> predict(const PredictRequest& request, ProgressSink& progress) {
  return guarded("predict", [&] { return predictUnguarded(request, progress); });
}

}  // namespace roadtune::engine
