// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/divergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::policy {

LossVerdict DivergenceWatch::add(double loss) {
  m_last = loss;
  m_verdict = judge(loss);
  return m_verdict;
}

LossVerdict DivergenceWatch::judge(double loss) {
  m_z = 0;
  if (!std::isfinite(loss))
    return ++m_nonFinite >= m_rule.nonFiniteLimit ? LossVerdict::Diverged : LossVerdict::NonFinite;
  m_nonFinite = 0;
  const double deviation = std::sqrt(m_variance);
  const bool warm = m_count >= m_rule.warmup;
  // A loss that hardly moves has no noise to measure by: one percent of it counts as noise.
  const double noise = std::max(deviation, 0.01 * std::abs(m_slow));
  if (warm && noise > 0) m_z = (loss - m_slow) / noise;
  const bool spike = warm && m_z > m_rule.zScore;
  if (!spike) learn(loss);
  // A ratio means something for positive averages only; losses near zero rise by noise alone, so the rise must also
  // stand out of the noise. Spikes in a row are no spikes: the averages do not see them.
  const bool higher = warm && m_slow > 0 && m_fast > m_rule.ratio * m_slow && m_fast - m_slow > deviation;
  m_risen = higher || spike ? m_risen + 1 : 0;
  if (m_risen >= m_rule.patience) return LossVerdict::Diverged;
  return spike ? LossVerdict::Spike : LossVerdict::Fine;
}

void DivergenceWatch::learn(double loss) {
  ++m_count;
  if (m_count == 1) {
    m_fast = m_slow = loss;
    return;
  }
  // While few values are known the averages are plain means: no memory of the first one.
  const double slow = std::max(m_rule.slow, 1.0 / static_cast<double>(m_count));
  const double fast = std::max(m_rule.fast, 1.0 / static_cast<double>(m_count));
  const double off = loss - m_slow;
  m_slow += slow * off;
  m_fast += fast * (loss - m_fast);
  m_variance = (1 - slow) * (m_variance + slow * off * off);
}

std::string DivergenceWatch::explanation() const {
  switch (m_verdict) {
    case LossVerdict::Fine: return "";
    case LossVerdict::NonFinite: return fmt::format("the loss is {}", m_last);
    case LossVerdict::Spike:
      return fmt::format("the loss {:.4g} lies {:.1f} deviations above its average {:.4g}", m_last, m_z, m_slow);
    case LossVerdict::Diverged:
      if (m_nonFinite > 0) return fmt::format("the loss was not finite {} times in a row", m_nonFinite);
      if (m_fast < m_rule.ratio * m_slow)
        return fmt::format("the loss lay far above its average {:.4g} {} times in a row, at {:.4g} now", m_slow,
                           m_risen, m_last);
      return fmt::format("the loss averages {:.4g} now and {:.4g} before: {:.1f} times as much", m_fast, m_slow,
                         m_fast / m_slow);
  }
  return "";
}

}  // namespace roadtune::policy
