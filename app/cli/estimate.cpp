// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "app/cli/run_tree.h"
#include "core/base/json_text.h"
#include "core/base/units.h"
#include "core/data/quality/text_length.h"
#include "core/model/feature_cache.h"
#include "core/model/memory_plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EstimateOptions {
  std::shared_ptr<RunTreeOptions> common;
  int textTokens = 0, labelTokens = 0, ranks = 0;
  std::string device = "auto";
  double memory = 0;  // GB of a device; 0: not told
};

constexpr double kLookSeconds = 2;

data::PlannedLength lengthOf(const EstimateOptions& options, const RunTree& loaded) {
  const auto limit = static_cast<int>(loaded.run.has("max_length") ? loaded.run.integer("max_length") : 0);
  const bool told = options.textTokens > 0 && options.labelTokens > 0;
  return data::planLength(told ? std::nullopt : data::longestText(loaded.run, kLookSeconds), limit,
                          loaded.tree.config.imageTokens());
}

std::string lengthWords(const EstimateOptions& options, const data::PlannedLength& length) {
  if (options.textTokens > 0) return "as told";
  if (length.from == data::PlannedLength::From::Limit) return "as many as max_length allows";
  if (length.from == data::PlannedLength::From::Usual) return "assumed: the training data is not there or not indexed";
  if (length.looked == length.samples) return fmt::format("the longest of {} samples", length.samples);
  return fmt::format("the longest of {} samples, of {}", length.looked, length.samples);
}

model::StepShape shapeOf(const EstimateOptions& options, const RunTree& loaded, const data::PlannedLength& length) {
  model::StepShape step = model::stepShapeFrom(loaded.run);
  step.textTokens = length.text;
  step.labelTokens = length.answer;
  if (options.textTokens > 0) step.textTokens = options.textTokens;
  if (options.labelTokens > 0) step.labelTokens = options.labelTokens;
  step.labelTokens = std::min(step.labelTokens, step.textTokens);
  if (options.ranks > 0) step.ranks = options.ranks;
  const std::string device = options.device == "auto" ? loaded.run.text("device") : options.device;
  step.onGpu = device == "cuda" || device == "gpu" || (device == "auto" && step.computeDtype == model::Dtype::BF16);
  return step;
}

// What a process takes beside its tensors.
std::vector<model::MemoryItem> besides(const RunTree& loaded, const model::StepShape& step,
                                       const data::PlannedLength& length) {
  std::vector<model::MemoryItem> items;
  if (step.onGpu) items.push_back(model::takenByCuda());
  const auto samples = length.samples > 0 ? std::optional<std::uint64_t>(length.samples) : std::nullopt;
  if (auto kept = model::takenByFeatures(loaded.run, loaded.tree.config, samples)) {
    if (step.onGpu) kept->formula += ", in the machine's own memory";
    items.push_back(std::move(*kept));
  }
  return items;
}

std::uint64_t sumOf(const std::vector<model::MemoryItem>& items) {
  std::uint64_t sum = 0;
  for (const auto& item : items) sum += item.bytes;
  return sum;
}

// How a device of so much memory takes the step.
struct Fit {
  std::uint64_t memory = 0;
  bool fits = false;
  std::optional<int> fewest = {};  // blocks that have to be computed again for that
};

std::optional<Fit> fitOf(const EstimateOptions& options, const RunTree& loaded, const model::StepShape& step,
                         const model::MemoryPlan& plan, std::uint64_t others) {
  if (options.memory <= 0) return std::nullopt;
  Fit fit{static_cast<std::uint64_t>(options.memory * 1e9)};
  const std::uint64_t left = fit.memory - std::min(fit.memory, others);
  fit.fits = plan.total() <= left;
  fit.fewest = model::fewestRecomputed(loaded.tree, step, left);
  return fit;
}

std::string fitWords(const Fit& fit, int blocks) {
  const auto memory = formatBytes(static_cast<double>(fit.memory));
  std::string words = fmt::format("{} into {}", fit.fits ? "fits" : "does not fit", memory);
  if (!fit.fewest) return words + ", whatever is computed again: try a smaller batch, or smaller numbers";
  if (*fit.fewest == 0) return words + "; no block has to be computed again";
  if (*fit.fewest == model::kEveryBlock)
    return words + "; all blocks have to be computed again: gradient_checkpointing";
  return words + fmt::format("; {0} of {1} blocks computed again are enough: gradient_checkpointing_blocks: {0}",
                             *fit.fewest, blocks);
}

// What to set for it; nothing where it cannot be.
Json fitSettings(const Fit& fit) {
  if (!fit.fewest) return {};
  Json settings = {{"gradient_checkpointing", *fit.fewest > 0}};
  if (*fit.fewest > 0 && *fit.fewest != model::kEveryBlock) settings["gradient_checkpointing_blocks"] = *fit.fewest;
  return settings;
}

Json planJson(const RunTree& loaded, const model::StepShape& step, const model::MemoryPlan& plan,
              const std::string& lengthFrom, const std::vector<model::MemoryItem>& others) {
  Json json;
  json["model"] = loaded.tree.config.name;
  json["method"] = loaded.run.text("finetuning_type");
  json["trainable"] = loaded.tree.trainableParameters();
  json["all"] = loaded.tree.allParameters();
  json["step"] = {{"batch", step.batch},
                  {"length", step.length(loaded.tree.config)},
                  {"text_tokens", step.textTokens},
                  {"text_tokens_from", lengthFrom},
                  {"label_tokens", step.labelTokens},
                  {"compute_dtype", model::torchName(step.computeDtype)},
                  {"gradient_checkpointing", step.checkpointing},
                  {"checkpointed_blocks", std::min(step.recomputedBlocks(), plan.blocksInGraph)},
                  {"ranks", step.ranks},
                  {"sharded", step.sharded},
                  {"fused_attention", step.onGpu}};
  json["parts"] = Json::object();
  for (const model::MemoryItem& item : plan.items) json["parts"][item.key] = item.bytes;
  json["items"] = Json::array();
  for (const model::MemoryItem& item : plan.items)
    json["items"].push_back({{"key", item.key},
                             {"label", item.label},
                             {"bytes", item.bytes},
                             {"persistent", item.persistent},
                             {"formula", item.formula}});
  json["activations_per_vision_block"] = plan.visionBlock;
  json["activations_per_text_block"] = plan.textBlock;
  json["persistent_bytes"] = plan.persistent();
  json["total_bytes"] = plan.total();
  for (const model::MemoryItem& item : others) json[item.key + "_bytes"] = item.bytes;
  json["notes"] = loaded.tree.notes;
  return json;
}

void printItem(const model::MemoryItem& item) {
  fmt::print("  {:<34} {:>10}   {}\n", item.label, formatBytes(static_cast<double>(item.bytes)), item.formula);
}

std::string checkpointingWords(const model::StepShape& step, const model::MemoryPlan& plan) {
  if (!step.checkpointing) return "";
  if (step.checkpointedBlocks == model::kEveryBlock) return ", gradient checkpointing";
  return fmt::format(", gradient checkpointing of {} of {} blocks",
                     std::min(step.checkpointedBlocks, plan.blocksInGraph), plan.blocksInGraph);
}

void printPlan(const RunTree& loaded, const model::StepShape& step, const model::MemoryPlan& plan,
               const std::string& lengthFrom, const std::vector<model::MemoryItem>& others,
               const std::optional<Fit>& fit) {
  fmt::print("{}, {}: per {}, batch {}, {} tokens per sample, {}{}\n", loaded.tree.config.name,
             loaded.run.text("finetuning_type"), step.ranks > 1 ? fmt::format("rank of {}", step.ranks) : "device",
             step.batch, step.length(loaded.tree.config), model::torchName(step.computeDtype),
             checkpointingWords(step, plan));
  fmt::print("  of these tokens, {} of text: {}\n", step.textTokens, lengthFrom);
  for (const model::MemoryItem& item : plan.items) printItem(item);
  fmt::print("  {:<34} {:>10}\n", "between steps", formatBytes(static_cast<double>(plan.persistent())));
  fmt::print("  {:<34} {:>10}\n", "peak", formatBytes(static_cast<double>(plan.total())));
  for (model::MemoryItem item : others) {
    item.label = "besides: " + item.label;
    printItem(item);
  }
  const auto printOther = [&](const char* what, bool model::StepShape::*flag) {
    model::StepShape lean = step;
    lean.*flag = true;
    const auto bytes = model::planMemory(loaded.tree, lean).total();
    fmt::print("  with {}: {}\n", what, formatBytes(static_cast<double>(bytes)));
  };
  if (!step.checkpointing && plan.textBlock > 0) printOther("gradient_checkpointing", &model::StepShape::checkpointing);
  if (plan.bytesOf("optimizer") > plan.total() / 8 && !step.eightBitMoments)
    printOther("optim: adamw_8bit", &model::StepShape::eightBitMoments);
  if (plan.bytesOf("masters") > plan.total() / 8 && !step.pureBf16 && step.computeDtype == model::Dtype::BF16)
    printOther("pure_bf16", &model::StepShape::pureBf16);
  if (fit) fmt::print("  {}\n", fitWords(*fit, plan.blocksInGraph));
}

Result<int> runEstimate(const EstimateOptions& options) {
  ROADTUNE_TRY(const RunTree loaded, loadRunTree(*options.common));
  const data::PlannedLength length = lengthOf(options, loaded);
  const model::StepShape step = shapeOf(options, loaded, length);
  const std::string lengthFrom = lengthWords(options, length);
  const model::MemoryPlan plan = model::planMemory(loaded.tree, step);
  const auto others = besides(loaded, step, length);
  const auto fit = fitOf(options, loaded, step, plan, sumOf(others));
  if (options.common->json) {
    auto json = planJson(loaded, step, plan, lengthFrom, others);
    if (fit)
      json["device"] = {{"memory_bytes", fit->memory},
                        {"fits", fit->fits},
                        {"settings", fitSettings(*fit)},
                        {"blocks", plan.blocksInGraph}};
    fmt::print("{}\n", jsonText(json));
  } else {
    printPlan(loaded, step, plan, lengthFrom, others, fit);
    printNotes(loaded.tree);
  }
  return static_cast<int>(kExitDone);
}

const Registration kEstimate{
    "estimate", "How much memory a run takes on each device, by part", [](CLI::App& app) -> Action {
      auto options = std::make_shared<EstimateOptions>();
      options->common = addRunTreeOptions(app);
      app.add_option("--text-tokens", options->textTokens,
                     "Text tokens per sample (default: as the training data has them, else max_length, else 64)")
          ->check(wholeNumberFrom(1));
      app.add_option("--label-tokens", options->labelTokens,
                     "Answer tokens per sample (default: as the training data has them, else 32)")
          ->check(wholeNumberFrom(1));
      app.add_option("--ranks", options->ranks, "Processes (default: as configured)")->check(wholeNumberFrom(1));
      app.add_option("--memory", options->memory,
                     "GB of a device: does it fit, and how many blocks have to be computed again at least?")
          ->check(positiveNumber());
      app.add_option("--device", options->device, "cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
      return [options] { return runEstimate(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
