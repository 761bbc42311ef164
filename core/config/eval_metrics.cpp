// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/eval_metrics.h"

#include "core/base/text.h"

namespace roadtune::config {

const std::vector<std::string>& evalMetrics() {
  static const std::vector<std::string> names = {"loss", "AP", "AP50", "accuracy", "malformed"};
  return names;
}

std::optional<std::string> evalMetric(std::string_view name) {
  std::string wanted = lower(name);
  if (startsWith(wanted, "eval_")) wanted = wanted.substr(5);
  for (const std::string& known : evalMetrics())
    if (lower(known) == wanted) return known;
  return std::nullopt;
}

bool moreIsBetter(std::string_view metric) { return metric != "loss" && metric != "malformed"; }

}  // namespace roadtune::config
