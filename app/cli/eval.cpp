// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune eval detections: score a results file against a ground truth.
#include "app/cli/command.h"
#include "core/data/eval/coco_metrics.h"
#include "core/data/eval/waymo_metrics.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace roadtune::cli {

namespace {

using nlohmann::ordered_json;

struct EvalOptions {
  std::string truth, predictions, protocol = "coco";
  bool json = false;
};

ordered_json cocoJson(const data::CocoMetrics& m) {
  ordered_json value = {{"AP", m.ap},        {"AP50", m.ap50},   {"AP75", m.ap75},    {"APs", m.apSmall},
                        {"APm", m.apMedium}, {"APl", m.apLarge}, {"AR1", m.ar1},      {"AR10", m.ar10},
                        {"AR100", m.ar100},  {"ARs", m.arSmall}, {"ARm", m.arMedium}, {"ARl", m.arLarge}};
  value["per_class"] = m.apPerClass;
  return value;
}

void print(const ordered_json& value, bool asJson) {
  if (asJson) {
    fmt::print("{}\n", value.dump(2, ' ', false, ordered_json::error_handler_t::replace));
    return;
  }
  for (const auto& [name, number] : value.items())
    if (number.is_number()) fmt::print("{:<6} {:.4f}\n", name, number.get<double>());
  for (const auto& [name, number] : value["per_class"].items())
    fmt::print("  {:<12} AP {:.4f}\n", name, number.get<double>());
}

Result<int> runEval(const EvalOptions& options) {
  const bool coco = options.protocol == "coco";
  if (!coco && options.protocol != "waymo-l1" && options.protocol != "waymo-l2")
    return badInput("unknown protocol '" + options.protocol + "'", "--protocol", "coco, waymo-l1 or waymo-l2");
  ROADTUNE_TRY(const data::GroundTruth truth, data::readGroundTruth(options.truth));
  ROADTUNE_TRY(const std::vector<data::Detection> detections, data::readDetections(options.predictions, truth));
  if (coco) {
    print(cocoJson(data::cocoMetrics(truth, detections)), options.json);
    return kExitDone;
  }
  const data::WaymoMetrics metrics = data::waymoMetrics(truth, detections, options.protocol == "waymo-l1" ? 1 : 2);
  if (metrics.perClass.empty())
    return badInput("has no boxes of vehicle, pedestrian or cyclist, which the Waymo protocol is about", options.truth);
  print({{"AP", metrics.ap}, {"per_class", metrics.perClass}}, options.json);
  return kExitDone;
}

const Registration kEval{"eval detections", "Average precision of predicted boxes", [](CLI::App& app) -> Action {
                           auto options = std::make_shared<EvalOptions>();
                           app.add_option("--gt", options->truth, "Ground truth, COCO JSON")->required();
                           app.add_option("--predictions", options->predictions, "COCO results JSON")->required();
                           app.add_option("--protocol", options->protocol, "coco, waymo-l1 or waymo-l2");
                           app.add_flag("--json", options->json, "For machines");
                           return [options]() -> Result<int> { return runEval(*options); };
                         }};

}  // namespace
}  // namespace roadtune::cli
