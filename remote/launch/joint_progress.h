// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"

#include <atomic>
#include <string>
#include <vector>

namespace roadtune::remote {

// Bytes that go to several machines at once, as one sum. Each machine reports through a share of its own, from any
// thread.
class JointProgress {
 public:
  // `bytes`: what each machine is to get.
  JointProgress(ProgressSink* sink, const std::vector<std::uint64_t>& bytes) : m_sink(sink), m_done(bytes.size()) {
    for (const std::uint64_t some : bytes) m_total += some;
  }
  bool set(std::size_t machine, std::uint64_t done, const std::string& host) {
    m_done[machine] = done;
    std::uint64_t sum = 0;
    for (const auto& one : m_done) sum += one;
    return !m_sink || m_sink->report({"copying", sum, m_total, "bytes", host});
  }

 private:
  ProgressSink* m_sink;
  std::uint64_t m_total = 0;
  std::vector<std::atomic<std::uint64_t>> m_done;
};

// `before`: what the machine needs no more, since another one has brought it there.
class ShareOfProgress : public ProgressSink {
 public:
  ShareOfProgress(JointProgress& whole, std::size_t machine, std::string host, std::uint64_t before)
      : m_whole(whole), m_machine(machine), m_host(std::move(host)), m_before(before) {}
  bool report(const Progress& progress) override { return m_whole.set(m_machine, m_before + progress.done, m_host); }

 private:
  JointProgress& m_whole;
  std::size_t m_machine;
  std::string m_host;
  std::uint64_t m_before;
};

}  // namespace roadtune::remote
