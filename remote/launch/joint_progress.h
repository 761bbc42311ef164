// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
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

// What several machines are brought at once, each by a thread of its own: the bytes of one stage as one sum, as far as
// machines have told theirs, everything else as it comes. After stop() every report asks to end.
class StageOfAll {
 public:
  StageOfAll(ProgressSink* sink, std::string stage, std::size_t machines)
      : m_sink(sink), m_stage(std::move(stage)), m_parts(machines) {}
  void stop() { m_stopped = true; }
  bool report(std::size_t machine, Progress progress) {
    if (progress.stage == m_stage) {
      const std::scoped_lock lock(m_mutex);
      m_parts[machine] = {progress.done, progress.total};
      progress.done = progress.total = 0;
      for (const auto& [done, total] : m_parts) {
        progress.done += done;
        progress.total += total;
      }
    }
    return !m_stopped && (!m_sink || m_sink->report(progress));
  }

 private:
  ProgressSink* m_sink;
  std::string m_stage;
  std::mutex m_mutex;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> m_parts;
  std::atomic<bool> m_stopped = false;
};

class PartOfStage : public ProgressSink {
 public:
  PartOfStage(StageOfAll& all, std::size_t machine) : m_all(all), m_machine(machine) {}
  bool report(const Progress& progress) override { return m_all.report(m_machine, progress); }

 private:
  StageOfAll& m_all;
  std::size_t m_machine;
};

}  // namespace roadtune::remote
