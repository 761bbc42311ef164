// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace roadtune::policy {

struct DivergenceRule {
  double fast = 0.1;                // weight of a new value in the fast average
  double slow = 0.01;               // and in the slow one
  double ratio = 1.5;               // fast / slow above this is a divergence
  double zScore = 8.0;              // a single value further out than this is a spike
  std::int64_t warmup = 50;         // values before any verdict but non-finite
  std::int64_t patience = 5;        // verdicts in a row before Diverged
  std::int64_t nonFiniteLimit = 3;  // non-finite values in a row before Diverged
};

enum class LossVerdict { Fine, NonFinite, Spike, Diverged };

// Watches a loss. Feed it values that are equal on all ranks, and all ranks decide alike. Non-finite values and
// spikes never enter the averages, so that one bad batch does not hide the next; several in a row are a divergence.
class DivergenceWatch {
 public:
  explicit DivergenceWatch(DivergenceRule rule = {}) : m_rule(rule) {}
  LossVerdict add(double loss);

  double fastAverage() const { return m_fast; }
  double slowAverage() const { return m_slow; }
  double lastZScore() const { return m_z; }
  std::string explanation() const;  // of the last verdict, with its numbers

 private:
  LossVerdict judge(double loss);
  void learn(double loss);

  DivergenceRule m_rule;
  double m_fast = 0, m_slow = 0, m_variance = 0, m_z = 0, m_last = 0;
  std::int64_t m_count = 0, m_nonFinite = 0, m_risen = 0;
  LossVerdict m_verdict = LossVerdict::Fine;
};

}  // namespace roadtune::policy
