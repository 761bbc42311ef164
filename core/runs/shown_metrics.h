// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace roadtune::runs {

// A metric as a report shows it.
struct ShownMetric {
  std::string name;   // as recorded: train/loss
  std::string title;  // as people say it: Loss
};

// The order in which people look: loss and evaluation first, then speed, then what explains them, the parts of a step
// last. What only counts along with the steps (epoch, samples and tokens of a step) is left out.
std::vector<ShownMetric> shownMetrics(const std::vector<std::string>& names);

}  // namespace roadtune::runs
