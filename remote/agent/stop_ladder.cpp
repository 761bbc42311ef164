// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/stop_ladder.h"

#include <algorithm>

namespace roadtune::remote {

void StopLadder::request(double now, double untilTerminate, double untilKill) {
  const double terminateAt = now + untilTerminate;
  const double killAt = terminateAt + untilKill;
  m_terminateAt = m_terminateAt ? std::min(*m_terminateAt, terminateAt) : terminateAt;
  m_killAt = m_killAt ? std::min(*m_killAt, killAt) : killAt;
}

StopLadder::Step StopLadder::due(double now) {
  if (m_killAt && now >= *m_killAt) {
    m_terminated = true;
    m_killAt = now + 1;
    return Step::Kill;
  }
  if (m_terminateAt && !m_terminated && now >= *m_terminateAt) {
    m_terminated = true;
    return Step::Terminate;
  }
  return Step::None;
}

std::optional<double> StopLadder::nextAt() const { return m_terminated ? m_killAt : m_terminateAt; }

}  // namespace roadtune::remote
