// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/control_desk.h"

#include "core/protocol/event_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>

namespace roadtune::engine {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::lowest();
constexpr const char* kEditNames[] = {"learning_rate", "max_grad_norm", "logging_steps", "save_steps", "eval_steps"};

bool isLed() { return std::getenv(protocol::kAgentVariable) != nullptr; }

}  // namespace

ControlDesk::ControlDesk(Session& session)
    : m_session(session),
      m_inbox(
          session.environment.leads() && !isLed() ? session.layout.control() : std::filesystem::path(),
          [&session] { session.reporter->heartbeat(); }, isLed()),
      m_edits(std::size(kEditNames), kAbsent) {
  if (session.environment.leads() && session.state.globalStep > 0) takeEarlierEdits();
}

// An agent that starts its ranks again does not ask for what was set before; the learning rate is in the checkpoint.
void ControlDesk::takeEarlierEdits() {
  protocol::EventReader events(m_session.layout.rankEvents(0));
  [[maybe_unused]] const Status read = events.pollFlat([this](const protocol::FlatEvent& event) {
    if (event.kind != "edit") return;
    for (std::size_t i = 1; i < std::size(kEditNames); ++i)
      if (event.members.find(kEditNames[i])) m_edits[i] = event.members.numberOr(kEditNames[i], kAbsent);
  });
  // What the configuration says by now is no news.
  if (m_edits[1] == m_session.settings.maxGradNorm) m_edits[1] = kAbsent;
  const auto& cadences = m_session.cadences;
  for (const auto& [i, cadence] :
       {std::pair(2, &cadences.log), std::pair(3, &cadences.save), std::pair(4, &cadences.evaluate)})
    if (cadence->unit() != policy::CadenceUnit::Epoch && m_edits[i] == static_cast<double>(cadence->everySteps()))
      m_edits[i] = kAbsent;
}

void ControlDesk::take() {
  using protocol::ControlWord;
  for (const auto& command : m_inbox.take()) {
    ask(command);
    switch (command.word) {
      case ControlWord::Save:
        // An agent gives a word to all ranks of its machine, and they read it at different steps.
        if (m_session.environment.localRank != 0) break;
        m_wishes.save = true;
        break;
      case ControlWord::Evaluate: m_wishes.evaluate |= m_session.environment.localRank == 0; break;
      case ControlWord::Stop: m_wishes.stop = true; break;
      case ControlWord::StopNow: m_wishes.stopNow = true; break;
      case ControlWord::Pause: m_paused = true; break;
      case ControlWord::Resume: m_paused = false; break;
      case ControlWord::Set: {
        const auto& edit = command.edit;
        if (edit.learningRate) m_edits[0] = *edit.learningRate;
        if (edit.maxGradNorm) m_edits[1] = *edit.maxGradNorm;
        if (edit.loggingSteps) m_edits[2] = static_cast<double>(*edit.loggingSteps);
        if (edit.saveSteps) m_edits[3] = static_cast<double>(*edit.saveSteps);
        if (edit.evalSteps) m_edits[4] = static_cast<double>(*edit.evalSteps);
        break;
      }
    }
  }
}

// Some edits change nothing in some runs, which is said.
bool ControlDesk::possible(std::size_t edit) {
  const bool noRate = edit == 0 && m_session.settings.rates.base <= 0, noData = edit == 4 && !m_session.evalData;
  if (noRate) m_session.reporter->warning(failed("cannot be set: the configuration says 0", kEditNames[edit]));
  if (noData) m_session.reporter->warning(failed("cannot be set: there is nothing to evaluate on", kEditNames[edit]));
  return !noRate && !noData;
}

// What no run can begin with would keep this one from going on after a stop.
bool ControlDesk::partsBestFromCheckpoints(const std::vector<double>& edits) const {
  const auto& settings = m_session.settings;
  if (!settings.bestAtEnd || settings.saveBest || (edits[3] == kAbsent && edits[4] == kAbsent)) return false;
  const auto steps = [&](std::size_t i, const policy::Cadence& cadence) {
    return edits[i] != kAbsent ? static_cast<std::int64_t>(edits[i]) : cadence.everySteps();
  };
  const auto save = steps(3, m_session.cadences.save), evaluate = steps(4, m_session.cadences.evaluate);
  return save <= 0 || evaluate <= 0 || save % evaluate != 0;
}

void ControlDesk::ask(const protocol::ControlCommand& command) {
  if (!command.id.empty() && m_session.environment.leads()) m_asked.push_back(command);
}

// Whoever asked learns why nothing comes.
void ControlDesk::refuseToEvaluate() {
  const std::string why = "there is nothing to evaluate on";
  if (m_session.environment.leads()) m_session.reporter->warning(failed(why, "evaluate", "eval_data or eval_fraction"));
  for (const auto& command : m_asked)
    if (command.word == protocol::ControlWord::Evaluate)
      m_session.reporter->event("control", {{"word", "evaluate"}, {"ids", {command.id}}, {"refused", why}});
}

// So that whoever asked knows which event is meant.
void ControlDesk::tell(protocol::ControlWord word) {
  std::vector<std::string> ids;
  for (const auto& command : m_asked)
    if (command.word == word) ids.push_back(command.id);
  if (!ids.empty()) m_session.reporter->event("control", {{"word", std::string(protocol::name(word))}, {"ids", ids}});
}

void ControlDesk::tellOrphaned() {
  if (!m_inbox.orphaned() || std::exchange(m_toldOrphaned, true)) return;
  m_session.reporter->warning(failed("the agent that led this rank is gone: the run saves and ends",
                                     fmt::format("rank {}", m_session.environment.rank),
                                     "roadtune resume with the run's folder"));
}

void ControlDesk::applyEdits(std::vector<double> edits) {
  if (std::all_of(edits.begin(), edits.end(), [](double edit) { return edit == kAbsent; })) return;
  if (partsBestFromCheckpoints(edits)) {
    m_session.reporter->warning(failed("cannot be set: load_best_model_at_end needs a checkpoint at each evaluation",
                                       edits[3] != kAbsent ? kEditNames[3] : kEditNames[4],
                                       "save_steps as a multiple of eval_steps"));
    edits[3] = edits[4] = kAbsent;
  }
  nlohmann::json body = nlohmann::json::object();
  for (std::size_t i = 0; i < std::size(kEditNames); ++i)
    if (edits[i] != kAbsent && possible(i)) body[kEditNames[i]] = edits[i];
  const auto steps = [&](std::size_t i, policy::Cadence& cadence) {
    if (edits[i] != kAbsent) cadence.setEverySteps(static_cast<std::int64_t>(edits[i]));
  };
  const double base = m_session.settings.rates.base;
  if (edits[0] != kAbsent && base > 0) m_session.state.rateEdit = {edits[0], base};
  if (edits[1] != kAbsent) m_session.settings.maxGradNorm = edits[1];
  steps(2, m_session.cadences.log);
  steps(3, m_session.cadences.save);
  steps(4, m_session.cadences.evaluate);
  m_session.reporter->event("edit", body);
}

Orders ControlDesk::decide(const std::function<void()>& first) {
  while (true) {
    take();
    std::vector<double> wishes{m_wishes.save ? 1.0 : 0.0, m_wishes.stop ? 1.0 : 0.0, m_wishes.stopNow ? 1.0 : 0.0,
                               m_paused && m_session.environment.leads() ? 1.0 : 0.0, m_wishes.evaluate ? 1.0 : 0.0};
    for (const double edit : m_edits) wishes.push_back(m_session.environment.leads() ? edit : kAbsent);
    tell(protocol::ControlWord::Save);
    tellOrphaned();
    wishes = m_session.ranks->highest(wishes);
    m_wishes = {};
    std::fill(m_edits.begin(), m_edits.end(), kAbsent);
    const std::vector<double> edits(wishes.begin() + 5, wishes.end());
    wishes.resize(5);
    if (first && (edits != m_edits || std::ranges::any_of(wishes, [](double wish) { return wish > 0; }))) first();
    tell(protocol::ControlWord::Set);
    applyEdits(edits);
    Orders orders{.save = wishes[0] > 0, .evaluate = wishes[4] > 0, .stop = wishes[1] > 0, .stopNow = wishes[2] > 0};
    if (orders.evaluate && !m_session.evalData) {
      refuseToEvaluate();
      orders.evaluate = false;
    }
    if (orders.evaluate) tell(protocol::ControlWord::Evaluate);
    const bool paused = wishes[3] > 0;
    if (paused != m_reportedPause) m_session.reporter->phase(paused ? "paused" : "training");
    m_reportedPause = paused;
    for (const auto word : {protocol::ControlWord::Pause, protocol::ControlWord::Resume}) tell(word);
    m_asked.clear();
    if (!paused || orders.save || orders.evaluate || orders.stop || orders.stopNow) return orders;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

}  // namespace roadtune::engine
