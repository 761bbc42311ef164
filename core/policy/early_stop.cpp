// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/early_stop.h"

#include <cmath>

namespace roadtune::policy {

bool EarlyStop::add(std::int64_t step, double metric) {
  const bool usable = std::isfinite(metric);
  const double gain = !m_state.best ? 0 : (m_rule.greaterIsBetter ? metric - *m_state.best : *m_state.best - metric);
  // The best model is the best by any margin; patience is reset only by more than the threshold.
  m_improved = usable && (!m_state.best || gain > 0);
  const bool enough = usable && (!m_state.best || (gain > 0 && gain > m_rule.threshold));
  m_state.waited = enough ? 0 : m_state.waited + 1;
  if (m_improved) {
    m_state.best = metric;
    m_state.bestStep = step;
  }
  return m_rule.patience > 0 && m_state.waited >= m_rule.patience;
}

}  // namespace roadtune::policy
