// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// What an evaluation measures. All but the loss come from the predictions for the probe samples (num_probe_samples):
// AP and AP50 of boxes as COCO counts them, the share of answers that are exactly right, and the pieces of output per
// sample that are no box.
const std::vector<std::string>& evalMetrics();

// "eval_ap50" and "AP50" are the same; nothing when there is no such metric.
std::optional<std::string> evalMetric(std::string_view name);

// Is more of it better?
bool moreIsBetter(std::string_view metric);

}  // namespace roadtune::config
