// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/engine/loop/rank_environment.h"
#include "core/engine/loop/step_result.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/run_layout.h"
#include "core/runs/tensorboard_writer.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roadtune::engine {

using Numbers = std::vector<std::pair<std::string, double>>;

// What a rank tells the world: events on every rank; lines on standard output and TensorBoard scalars on rank 0.
class Reporter {
 public:
  static Result<std::unique_ptr<Reporter>> open(const protocol::RunLayout& layout, const RankEnvironment& environment);

  void setStep(std::int64_t step) { m_step = step; }
  std::int64_t step() const { return m_step; }
  Status startTensorboard(const protocol::RunLayout& layout);

  void print(const std::string& line) const;  // rank 0 alone
  void event(std::string kind, nlohmann::json body = nlohmann::json::object());
  void phase(std::string_view name);
  // How far a long piece of work is, as often as its loop likes: written every so many seconds, and for the first time
  // that long after the phase began.
  void progress(std::string_view name, std::int64_t done, std::int64_t total);
  void progressEvery(double seconds) { m_progressEvery = seconds; }
  void warning(const Error& error);
  void error(const Error& error);
  void stepDone(const StepResult& result, std::int64_t totalSteps);
  void heartbeat() { event("heartbeat"); }

  // Scalars at the current step, with TensorBoard's prefixes ("train/loss").
  void scalars(const Numbers& numbers);
  void finish();  // everything said so far is on disk

 private:
  Reporter(std::unique_ptr<protocol::EventWriter> events, bool leads) : m_events(std::move(events)), m_leads(leads) {}

  std::unique_ptr<protocol::EventWriter> m_events;
  std::optional<runs::TensorboardWriter> m_tensorboard;
  std::atomic<std::int64_t> m_step{0};
  bool m_leads;
  bool m_tensorboardFailed = false;
  double m_progressEvery = 15, m_progressTold = 0;
};

// Resident memory of this process.
std::uint64_t residentBytes();

}  // namespace roadtune::engine
