// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/long_loop.h"

#include "core/base/clock.h"

#include <algorithm>

namespace roadtune::engine {
namespace {

constexpr double kAskSeconds = 2;

}  // namespace

LongLoop::LongLoop(Reporter& reporter, Communicator& ranks, std::string name, std::int64_t total, Asked stop)
    : m_reporter(reporter),
      m_ranks(ranks),
      m_name(std::move(name)),
      m_total(total),
      m_stop(std::move(stop)),
      m_asked(monotonicSeconds()) {}

bool LongLoop::goesOn(std::int64_t done) {
  m_reporter.progress(m_name, done, m_total);
  if (!m_stop) return true;
  if (m_ranks.size() == 1) return !m_stop();
  if (++m_rounds < m_asksAfter) return true;
  const auto heard = m_ranks.highest(std::vector<double>{m_stop() ? 1.0 : 0.0, monotonicSeconds() - m_asked});
  // What the slowest has told is the same everywhere. The first rounds say little: no great leaps.
  const double perRound = heard[1] / static_cast<double>(m_rounds);
  const auto most = static_cast<double>(2 * m_asksAfter);
  m_asksAfter = static_cast<std::int64_t>(std::clamp(kAskSeconds / std::max(perRound, 1e-9), 1.0, most));
  m_rounds = 0;
  m_asked = monotonicSeconds();
  return heard[0] == 0;
}

}  // namespace roadtune::engine
