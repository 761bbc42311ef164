// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>

namespace roadtune::remote {

// When to do what to ranks that are to end: asked, then SIGTERM, then SIGKILL every second until they are gone.
// Pure: told the time (monotonic seconds), says what is due. Later requests only make it quicker.
class StopLadder {
 public:
  enum class Step { None, Terminate, Kill };

  void request(double now, double untilTerminate, double untilKill);
  bool requested() const { return m_terminateAt.has_value(); }

  Step due(double now);                  // each step once, Kill again and again
  std::optional<double> nextAt() const;  // when due() will have something

 private:
  std::optional<double> m_terminateAt, m_killAt;
  bool m_terminated = false;
};

}  // namespace roadtune::remote
