// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/event_writer.h"
#include "core/protocol/run_layout.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace roadtune::runs {

// A run folder written by the real writer with a clock of its own: each event is one second after the one before.
class FakeRun {
 public:
  explicit FakeRun(fs::path folder, double start = 1767225600.0) : m_layout(std::move(folder)), m_now(start) {}

  const fs::path& path() const { return m_layout.root(); }
  const protocol::RunLayout& layout() const { return m_layout; }
  double now() const { return m_now; }

  void rank(int rank, const std::string& kind, std::int64_t step, nlohmann::json body = nlohmann::json::object()) {
    writer(m_layout.rankEvents(rank), rank).write(kind, step, std::move(body));
  }
  void node(int node, const std::string& kind, nlohmann::json body = nlohmann::json::object()) {
    writer(m_layout.nodeEvents(node), node).write(kind, 0, std::move(body));
  }
  void hello(std::int64_t step = 0, nlohmann::json more = nlohmann::json::object()) {
    nlohmann::json body = {{"host", "elsewhere"}, {"pid", 1}, {"world_size", 1}, {"total_steps", 100}};
    body.update(more);
    rank(0, "hello", step, std::move(body));
  }
  void steps(std::int64_t from, std::int64_t to, double loss) {
    for (std::int64_t step = from; step <= to; ++step)
      rank(0, "step", step, {{"loss", loss}, {"lr", 1e-5}, {"step_s", 1.0}, {"total_steps", 100}});
  }
  void flush() {
    for (auto& [path, one] : m_writers) EXPECT_TRUE(one->flush());
  }
  void close() { m_writers.clear(); }

 private:
  protocol::EventWriter& writer(const fs::path& path, int rank) {
    auto& slot = m_writers[path];
    if (!slot) {
      protocol::EventWriterOptions options;
      options.queueLimit = 1000000;
      options.wallClock = [this] { return m_now += 1; };
      options.monotonicClock = [this] { return m_now; };
      auto opened = protocol::EventWriter::open(path, rank, options);
      EXPECT_TRUE(opened.ok());
      slot = std::move(opened).value();
    }
    return *slot;
  }

  protocol::RunLayout m_layout;
  double m_now;
  std::map<fs::path, std::unique_ptr<protocol::EventWriter>> m_writers;
};

}  // namespace roadtune::runs
