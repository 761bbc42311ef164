// SPDX-License-Identifier: GPL-3.0-or-later
// What a file may say but the trainer does not do yet. Told with all other problems, before anything starts; the
// trainer refuses the same on its own. Whoever teaches it one of these removes the row.
#include "core/base/text.h"
#include "core/config/rules.h"

#include <fmt/format.h>

namespace roadtune::config {
namespace {

struct Unoffered {
  const char* key;
  Value only;  // the value that works
};

const std::vector<Unoffered>& unofferedKeys() {
  static const std::vector<Unoffered> keys = {
      {"cache_vision_features", false},
  };
  return keys;
}

}  // namespace

void refuseUnoffered(Draft& draft) {
  const RunConfig& run = draft.view();
  for (const auto& one : unofferedKeys()) {
    if (run.value(one.key) == one.only) continue;
    draft.report(one.key, fmt::format("{} is not offered by the trainer yet", toDisplay(run.value(one.key))),
                 one.only.isNull() ? "remove the key" : fmt::format("{}: {}", one.key, toYaml(one.only)));
  }
  if (run.has("ema_decay") && run.text("sharding") != "ddp")
    draft.report("ema_decay", "averages need every weight on every rank", "sharding: ddp, or no ema_decay");
  const std::string metric = run.text("metric_for_best_model");
  if (!metric.empty() && metric != "loss" && metric != "eval_loss")
    draft.report("metric_for_best_model", "evaluation has no metric of that name", "metric_for_best_model: loss");
}

}  // namespace roadtune::config
