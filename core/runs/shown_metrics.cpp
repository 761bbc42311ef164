// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/shown_metrics.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace roadtune::runs {

namespace {

struct Known {
  std::string_view name, title;
};

constexpr std::array kKnown = {
    Known{"train/loss", "Loss"},
    Known{"eval/loss", "Evaluation loss"},
    Known{"train/samples_per_second", "Samples per second"},
    Known{"train/tokens_per_second", "Tokens per second"},
    Known{"train/mfu", "Model FLOPs utilisation, percent"},
    Known{"train/tflops_per_s", "TFLOP per second"},
    Known{"train/grad_norm", "Gradient norm"},
    Known{"train/grad_norm_vision_tower", "Gradient norm of the vision tower"},
    Known{"train/grad_norm_projector", "Gradient norm of the projector"},
    Known{"train/grad_norm_language_model", "Gradient norm of the language model"},
    Known{"train/learning_rate", "Learning rate"},
    Known{"train/step_seconds", "Seconds per step"},
    Known{"train/memory_bytes", "Memory of the trainer, bytes"},
    Known{"anatomy/wait", "Waiting for data, seconds"},
    Known{"anatomy/read", "Reading, seconds"},
    Known{"anatomy/decode", "Decoding, seconds"},
    Known{"anatomy/tokenise", "Tokenising, seconds"},
    Known{"anatomy/copy", "Copying to the device, seconds"},
    Known{"anatomy/forward", "Forward, seconds"},
    Known{"anatomy/backward", "Backward, seconds"},
    Known{"anatomy/comm", "Communication, seconds"},
    Known{"anatomy/optimizer", "Optimizer, seconds"},
    Known{"anatomy/other", "Other, seconds"},
};
constexpr std::array<std::string_view, 4> kCounters = {"train/epoch", "train/samples", "train/tokens",
                                                       "train/target_tokens"};

// Metrics without a place of their own stand before the parts of a step.
std::tuple<std::size_t, std::string> placeOf(const ShownMetric& metric) {
  const auto known =
      std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& one) { return one.name == metric.name; });
  const auto firstPart =
      std::find_if(kKnown.begin(), kKnown.end(), [](const Known& one) { return one.name.starts_with("anatomy/"); });
  const auto place = static_cast<std::size_t>(known - kKnown.begin());
  const auto parts = static_cast<std::size_t>(firstPart - kKnown.begin());
  if (known == kKnown.end()) return {parts, metric.name};
  return {place < parts ? place : place + 1, metric.name};
}

}  // namespace

std::vector<ShownMetric> shownMetrics(const std::vector<std::string>& names) {
  std::vector<ShownMetric> shown;
  for (const std::string& name : names) {
    if (std::find(kCounters.begin(), kCounters.end(), name) != kCounters.end()) continue;
    const auto known = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& one) { return one.name == name; });
    shown.push_back({name, known == kKnown.end() ? name : std::string(known->title)});
  }
  std::stable_sort(shown.begin(), shown.end(),
                   [](const ShownMetric& a, const ShownMetric& b) { return placeOf(a) < placeOf(b); });
  return shown;
}

}  // namespace roadtune::runs
