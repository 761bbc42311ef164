// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune eval detections: score a results file against a ground truth.
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/data/eval/coco_metrics.h"
#include "core/data/eval/iou_pairs.h"
#include "core/data/eval/waymo_metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <vector>

namespace roadtune::cli {

namespace {

using nlohmann::ordered_json;

struct EvalOptions {
  std::string truth, predictions, protocol = "coco";
  double iou = 0.5, score = 0.3;
  bool details = false, json = false;
};

constexpr std::size_t kNamed = 5;

std::vector<std::int64_t> firstOf(const std::set<std::int64_t>& numbers) {
  return {numbers.begin(), std::next(numbers.begin(), static_cast<std::ptrdiff_t>(std::min(kNamed, numbers.size())))};
}

ordered_json countsJson(const data::MatchCounts& counts) {
  return {{"tp", counts.hits},
          {"fp", counts.wrong},
          {"fn", counts.missed},
          {"precision", counts.precision()},
          {"recall", counts.recall()}};
}

// Hits and misses image by image, curves, and which class is taken for which.
ordered_json detailsJson(const data::GroundTruth& truth, const data::IouPairs& pairs, const EvalOptions& options) {
  const data::MatchReport report = pairs.match(options.iou, options.score);
  const std::vector<data::PrecisionRecall> curves = pairs.curves(options.iou);
  ordered_json value = {{"iou", options.iou}, {"score", options.score}, {"total", countsJson(report.total)}};
  ordered_json classes = ordered_json::array(), images = ordered_json::array(), matrix = ordered_json::array();
  for (std::size_t c = 0; c < truth.categories.size(); ++c) {
    const std::string& name = truth.categories[c].name;
    classes.push_back(name);
    value["per_class"][name] = countsJson(report.perClass[c]);
    if (curves[c].measured) value["curves"][name] = {{"precision", curves[c].precision}, {"score", curves[c].score}};
  }
  classes.push_back("background");
  for (std::size_t row = 0; row < classes.size(); ++row) {
    const auto begin = report.confusion.begin() + static_cast<std::ptrdiff_t>(row * classes.size());
    matrix.push_back(std::vector<std::size_t>(begin, begin + static_cast<std::ptrdiff_t>(classes.size())));
  }
  for (std::size_t i = 0; i < truth.images.size(); ++i) {
    const data::MatchCounts& counts = report.perImage[i];
    const auto number = truth.images[i];
    const ordered_json id =
        truth.texts.empty() ? ordered_json(number) : ordered_json(truth.texts[static_cast<std::size_t>(number)]);
    images.push_back({{"image_id", id}, {"tp", counts.hits}, {"fp", counts.wrong}, {"fn", counts.missed}});
  }
  value["confusion"] = {{"classes", classes}, {"matrix", matrix}};
  value["per_image"] = std::move(images);
  return value;
}

void printDetails(const ordered_json& details) {
  fmt::print("\nat IoU {} and score {}\n", details["iou"].get<double>(), details["score"].get<double>());
  fmt::print("  {:<12} {:>8} {:>8} {:>8} {:>10} {:>8}\n", "", "hits", "wrong", "missed", "precision", "recall");
  const auto line = [](const std::string& name, const ordered_json& counts) {
    fmt::print("  {:<12} {:>8} {:>8} {:>8} {:>10.4f} {:>8.4f}\n", name, counts["tp"].get<std::size_t>(),
               counts["fp"].get<std::size_t>(), counts["fn"].get<std::size_t>(), counts["precision"].get<double>(),
               counts["recall"].get<double>());
  };
  for (const auto& [name, counts] : details["per_class"].items()) line(name, counts);
  line("all", details["total"]);
  fmt::print("\ntruth (rows) taken for (columns)\n  {:<12}", "");
  const ordered_json& classes = details["confusion"]["classes"];
  for (const ordered_json& name : classes) fmt::print(" {:>12}", name.get<std::string>());
  for (std::size_t row = 0; row < classes.size(); ++row) {
    fmt::print("\n  {:<12}", classes[row].get<std::string>());
    for (const ordered_json& count : details["confusion"]["matrix"][row])
      fmt::print(" {:>12}", count.get<std::size_t>());
  }
  fmt::print("\n");
}

ordered_json cocoJson(const data::CocoMetrics& m) {
  ordered_json value = {{"AP", m.ap},        {"AP50", m.ap50},   {"AP75", m.ap75},    {"APs", m.apSmall},
                        {"APm", m.apMedium}, {"APl", m.apLarge}, {"AR1", m.ar1},      {"AR10", m.ar10},
                        {"AR100", m.ar100},  {"ARs", m.arSmall}, {"ARm", m.arMedium}, {"ARl", m.arLarge}};
  value["per_class"] = m.apPerClass;
  return value;
}

void print(const ordered_json& value, bool asJson) {
  if (asJson) {
    fmt::print("{}\n", jsonText(value));
    return;
  }
  for (const auto& [name, number] : value.items())
    if (number.is_number()) fmt::print("{:<6} {:.4f}\n", name, number.get<double>());
  for (const auto& [name, number] : value["per_class"].items())
    fmt::print("  {:<12} AP {:.4f}\n", name, number.get<double>());
  if (value.contains("details")) printDetails(value["details"]);
}

// They are passed over, as the protocol has it; a number that is off by one looks like a model that finds nothing.
void warnOfForeign(const std::vector<data::Detection>& detections, const data::GroundTruth& truth) {
  std::set<std::int64_t> known, foreign;
  for (const auto& category : truth.categories) known.insert(category.id);
  std::int64_t count = 0;
  for (const auto& detection : detections) {
    if (known.contains(detection.category)) continue;
    ++count;
    foreign.insert(detection.category);
  }
  if (count == 0) return;
  fmt::print(stderr, "warning: {} not counted: the ground truth does not have category {}{} (it has {})\n",
             counted(count, "result is", "results are"), fmt::join(firstOf(foreign), ", "),
             foreign.size() > kNamed ? ", ..." : "", fmt::join(firstOf(known), ", "));
}

Result<int> runEval(const EvalOptions& options) {
  const bool coco = options.protocol == "coco";
  if (!coco && options.protocol != "waymo-l1" && options.protocol != "waymo-l2")
    return badInput("unknown protocol '" + options.protocol + "'", "--protocol", "coco, waymo-l1 or waymo-l2");
  ROADTUNE_TRY(const data::GroundTruth truth, data::readGroundTruth(options.truth));
  ROADTUNE_TRY(const std::vector<data::Detection> detections, data::readDetections(options.predictions, truth));
  warnOfForeign(detections, truth);
  ordered_json details;
  if (options.details) details = detailsJson(truth, data::IouPairs(truth, detections), options);
  const auto finish = [&](ordered_json value) -> Result<int> {
    if (options.details) value["details"] = std::move(details);
    print(value, options.json);
    return kExitDone;
  };
  if (coco) return finish(cocoJson(data::cocoMetrics(truth, detections)));
  const data::WaymoMetrics metrics = data::waymoMetrics(truth, detections, options.protocol == "waymo-l1" ? 1 : 2);
  if (metrics.perClass.empty())
    return badInput("has no boxes of vehicle, pedestrian or cyclist, which the Waymo protocol is about", options.truth);
  return finish({{"AP", metrics.ap}, {"per_class", metrics.perClass}});
}

Action addEval(CLI::App& app) {
  auto options = std::make_shared<EvalOptions>();
  app.add_option("--gt", options->truth, "Ground truth, COCO JSON")->required();
  app.add_option("--predictions", options->predictions, "COCO results JSON")->required();
  app.add_option("--protocol", options->protocol, "coco, waymo-l1 or waymo-l2");
  auto* details = app.add_flag("--details", options->details,
                               "Also hits and misses image by image, precision-recall curves, confusion");
  app.add_option("--iou", options->iou, "With --details: overlap of a hit")
      ->check(finiteNumber())
      ->check(CLI::Range(data::IouPairs::kLeast, 1.0))
      ->needs(details)
      ->capture_default_str();
  app.add_option("--score", options->score, "With --details: detections below do not count")
      ->check(finiteNumber())
      ->needs(details)
      ->capture_default_str();
  app.add_flag("--json", options->json, "For machines");
  return [options]() -> Result<int> { return runEval(*options); };
}

const Registration kEval{"eval detections", "Average precision of predicted boxes", addEval};

}  // namespace
}  // namespace roadtune::cli
