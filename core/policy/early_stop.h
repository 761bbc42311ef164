// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>

namespace roadtune::policy {

struct EarlyStopRule {
  std::int64_t patience = 0;  // evaluations without improvement before stopping; 0 never stops
  double threshold = 0.0;     // an improvement must be larger than this
  bool greaterIsBetter = false;
};

// transformers' EarlyStoppingCallback together with its best-model bookkeeping. State is three numbers, so that a
// checkpoint can hold it.
struct EarlyStopState {
  std::optional<double> best = {};
  std::int64_t bestStep = 0;
  std::int64_t waited = 0;
};

class EarlyStop {
 public:
  explicit EarlyStop(EarlyStopRule rule, EarlyStopState state = {}) : m_rule(rule), m_state(state) {}
  // The metric after an evaluation at `step`. True: stop now. A non-finite value counts as no improvement.
  bool add(std::int64_t step, double metric);
  bool improved() const { return m_improved; }  // by the last value: this step is the best so far
  const EarlyStopState& state() const { return m_state; }

 private:
  EarlyStopRule m_rule;
  EarlyStopState m_state;
  bool m_improved = false;
};

}  // namespace roadtune::policy
