// SPDX-License-Identifier: GPL-3.0-or-later
// Tools that need the engine: predict, merge, quantize and reduce. `roadtune` starts the first three under the same
// names.
#include "app/train/command.h"
#include "core/base/counted.h"
#include "core/base/exit_code.h"
#include "core/base/json_text.h"
#include "core/base/units.h"
#include "core/data/index/class_list.h"
#include "core/engine/merge.h"
#include "core/engine/predict.h"
#include "core/engine/quantize.h"
#include "core/engine/reduce_probe.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roadtune {

namespace {
constexpr unsigned kReduceLimit = 90;  // seconds

std::vector<std::string> namesOf(const std::vector<std::string>& typed) {
  std::vector<std::string> names;
  for (const std::string& one : typed)
    for (std::string& name : data::namesIn(one)) names.push_back(std::move(name));
  return names;
}

// The first Ctrl-C ends the work cleanly.
Result<std::unique_ptr<ProgressSink>> interruptible(const std::string& styleName) {
  ROADTUNE_TRY(const auto style, parseProgressStyle(styleName));
  Interrupt::install();
  return makeProgressSink(style, [] { return Interrupt::requested(); });
}
}  // namespace

TrainerAction addPredict(CLI::App& app) {
  struct Options {
    engine::PredictRequest request;
    std::vector<std::string> classes;
    std::string progress;
  };
  auto options = std::make_shared<Options>();
  auto& request = options->request;
  app.add_option("--model", request.model, "folder of the base model")->required();
  app.add_option("--adapter", request.adapter, "folder of a LoRA adapter");
  app.add_option("--data", request.data, "index folder, JSONL or COCO file")->required();
  app.add_option("--query", request.query, "only these images of an index");
  app.add_option("--images", request.images, "folder of the pictures, where they do not lie beside the file");
  app.add_option("--out", request.out, "COCO results file to write")->required();
  app.add_option("--classes", options->classes,
                 "class names to keep, separated by commas (one with a comma in it in double quotes); category ids are "
                 "those of a COCO file, or of its export");
  app.add_option("--profile", request.profile, "whose arithmetic: hf-5.23, hf-5-sdpa, hf-4.51-eager, big-vision");
  app.add_option("--dtype", request.dtype, "auto (as stored), float32 or bfloat16");
  app.add_option("--device", request.device, "cpu, cuda:N, or auto: a GPU when there is one");
  app.add_option("--batch-size", request.batch, "images at a time");
  app.add_option("--workers", request.workers, "threads that decode images");
  app.add_option("--max-new-tokens", request.maxNewTokens, "longest answer");
  app.add_flag("--loc-over-1024", request.locOver1024, "divide <loc> tokens by 1024 instead of 1023");
  app.add_option("--limit", request.limit, "only so many images");
  app.add_option("--progress", options->progress, "json, bar or none");
  return [options]() -> Result<int> {
    ROADTUNE_TRY(const auto progress, interruptible(options->progress));
    if (!options->classes.empty()) options->request.classes = namesOf(options->classes);
    ROADTUNE_TRY(const auto report, engine::predict(options->request, *progress));
    for (const Error& cause : report.causes) fmt::print(stderr, "{}\n", cause.text());
    if (report.unreadable > 0)
      fmt::print(stderr, "{} could not be read and {} left out\n", counted(report.unreadable, "image"),
                 report.unreadable == 1 ? "is" : "are");
    fmt::print("{} in {}, {}: {}\n", counted(report.boxes, "box", "boxes"), counted(report.images, "image"),
               counted(report.malformed, "malformed piece"), options->request.out.string());
    return 0;
  };
}

TrainerAction addMerge(CLI::App& app) {
  auto request = std::make_shared<engine::MergeRequest>();
  auto progressWord = std::make_shared<std::string>();
  app.add_option("--model", request->model, "folder of the base model")->required();
  app.add_option("--adapter", request->adapter, "folder of the LoRA adapter")->required();
  app.add_option("--out", request->out, "folder for the merged model")->required();
  app.add_option("--progress", *progressWord, "json, bar or none");
  return [request, progressWord]() -> Result<int> {
    ROADTUNE_TRY(const auto progress, interruptible(*progressWord));
    ROADTUNE_TRY(const auto count, engine::merge(*request, *progress));
    fmt::print("{} layers merged: {}\n", formatCount(count), request->out.string());
    return 0;
  };
}

TrainerAction addQuantize(CLI::App& app) {
  auto request = std::make_shared<engine::QuantizeRequest>();
  auto progressWord = std::make_shared<std::string>();
  app.add_option("--model", request->model, "folder of the model")->required();
  app.add_option("--out", request->out, "folder for the 4-bit model")->required();
  app.add_flag("--double-quant", request->doubleQuant, "keep the scales of the blocks in 8 bits");
  app.add_option("--scope", request->scope, "hf: every linear layer but the head; language_model: the text model's");
  app.add_option("--dtype", request->dtype, "of everything else: auto (as stored), float32 or bfloat16");
  app.add_option("--progress", *progressWord, "json, bar or none");
  return [request, progressWord]() -> Result<int> {
    ROADTUNE_TRY(const auto progress, interruptible(*progressWord));
    ROADTUNE_TRY(const auto count, engine::quantize(*request, *progress));
    fmt::print("{} layers in 4 bits: {}\n", formatCount(count), request->out.string());
    return 0;
  };
}

TrainerAction addReduce(CLI::App&) {
  return []() -> Result<int> {
    ::alarm(kReduceLimit);  // a library that waits for good does not stay behind
    ROADTUNE_TRY(const engine::ReduceReport report, engine::probeReduce());
    nlohmann::json told{{"rank", report.rank},
                        {"seconds", report.seconds},
                        {"error", report.error},
                        {"backend", report.backend},
                        {"obstacles", report.obstacles}};
    told["pairs"] = nlohmann::json::array();
    for (const auto& pair : report.pairs)
      told["pairs"].push_back({{"other", pair.other}, {"seconds", pair.seconds}, {"error", pair.error}});
    fmt::print("{}\n", jsonLine(told));
    return kExitDone;
  };
}

}  // namespace roadtune
