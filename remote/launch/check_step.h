// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"

#include <atomic>
#include <string>

namespace roadtune::remote {

// One step of a check as whoever follows it sees it. Threads that wait ask stopped() meanwhile.
class CheckStep {
 public:
  CheckStep(ProgressSink* sink, std::string stage, std::uint64_t total, std::string unit)
      : m_sink(sink), m_stage(std::move(stage)), m_unit(std::move(unit)), m_total(total) {
    m_stopped = !tell();
  }
  void advance(std::uint64_t done) {
    m_done += done;
    if (!tell()) m_stopped = true;
  }
  bool stopped() {
    if (!m_stopped && (m_total == 0 || m_done < m_total) && !tell()) m_stopped = true;
    return m_stopped;
  }

 private:
  bool tell() const { return !m_sink || m_sink->report({m_stage, m_done, m_total, m_unit}); }
  ProgressSink* m_sink;
  std::string m_stage, m_unit;
  std::uint64_t m_total;
  std::atomic<std::uint64_t> m_done = 0;
  std::atomic<bool> m_stopped = false;
};

}  // namespace roadtune::remote
