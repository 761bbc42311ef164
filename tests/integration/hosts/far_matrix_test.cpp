// SPDX-License-Identifier: GPL-3.0-or-later
// The kill matrix with two machines and real ranks: who may die when, and whose cable may be cut. With
// ROADTUNE_FULL_MATRIX=1 all cells run, and their chapter of resources/docs/kill-matrix.md is written anew.
#include "core/base/clock.h"
#include "core/base/subprocess.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"
#include "tests/integration/matrix/matrix_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <thread>
#include <unistd.h>

namespace roadtune::remote {
namespace {

namespace fs = std::filesystem;
using testing::readAll;
using testing::TestNetwork;

constexpr int kSteps = 40;
constexpr double kFrozen = 0.7, kUnplugged = 3;  // seconds

enum class Victim { Cli, Agent0, Agent1, Rank0, Rank1, Cable0, Cable1, Power1 };
enum class Moment { Deploy, Step };

struct Cell {
  Victim victim;
  bool killed;  // else stopped for a while; of a cable: pulled for a while
  Moment moment;
  const char* expected;  // the beginning of what must be seen
  const char* after;     // what is done about it, and what must come of it
};

const char* name(Victim victim) {
  static constexpr const char* kNames[] = {"cli",    "agent of machine 1", "agent of machine 2", "rank 0",
                                           "rank 1", "machine 1",          "machine 2",          "machine 2"};
  return kNames[static_cast<int>(victim)];
}

const char* blowOf(const Cell& cell) {
  if (cell.victim == Victim::Cable0 || cell.victim == Victim::Cable1) return "cable, 3 s";
  if (cell.victim == Victim::Power1) return "power cut";
  return cell.killed ? "SIGKILL" : "SIGSTOP";
}

constexpr const char* kNothingToDo = "not needed";
constexpr const char* kAgain = "started again: finished";
constexpr const char* kAttached = "attached: finished";
constexpr const char* kExact = "resumed: exact";

const std::vector<Cell>& allCells() {
  static const std::vector<Cell> cells{
      {Victim::Cli, true, Moment::Deploy, "not started", kAgain},
      {Victim::Cli, false, Moment::Deploy, "finished", kNothingToDo},
      {Victim::Cable0, false, Moment::Deploy, "finished", kNothingToDo},
      {Victim::Cli, true, Moment::Step, "running", kAttached},
      {Victim::Cli, false, Moment::Step, "finished", kNothingToDo},
      {Victim::Cable0, false, Moment::Step, "finished", kNothingToDo},
      {Victim::Cable1, false, Moment::Step, "finished", kNothingToDo},
      {Victim::Agent0, true, Moment::Step, "failed", kExact},
      {Victim::Agent0, false, Moment::Step, "finished", kNothingToDo},
      {Victim::Agent1, true, Moment::Step, "failed", kExact},
      {Victim::Agent1, false, Moment::Step, "finished", kNothingToDo},
      {Victim::Rank0, true, Moment::Step, "failed", kExact},
      {Victim::Rank0, false, Moment::Step, "finished", kNothingToDo},
      {Victim::Rank1, true, Moment::Step, "failed", kExact},
      {Victim::Rank1, false, Moment::Step, "finished", kNothingToDo},
      {Victim::Power1, true, Moment::Step, "failed", kExact},
  };
  return cells;
}

class FarMatrix : public testing::HostRuns {
 protected:
  void SetUp() override {
    HostRuns::SetUp();
    if (!IsSkipped()) m_network = std::make_unique<TestNetwork>(2);
  }
  std::string suffer(const Cell& cell);  // "" or what was not as promised; fills m_row
  std::string m_row;

 private:
  Subprocess startTraining();
  bool comes(Moment moment) const;
  void strike(const Cell& cell, pid_t cli) const;
  pid_t pidOf(Victim victim, pid_t cli) const;
  std::string seen() const;
  std::string leftBehind() const;
  std::string followUp(const Cell& cell);
  std::string exactness();
  static bool within(double seconds, const std::function<bool()>& condition) {
    for (const double until = monotonicSeconds() + seconds; !condition();) {
      if (monotonicSeconds() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }

  std::unique_ptr<TestNetwork> m_network;
  fs::path m_run;
  std::map<std::int64_t, double> m_undisturbed;
};

Subprocess FarMatrix::startTraining() {
  auto words = prefixed(trainWords(
      m_run, kSteps,
      {"--hosts", m_network->hosts(), "--nproc-per-node", "1", "--set", "save_steps=5", "--set", "peer_timeout=10"}));
  words[0] = testing::programPath(words[0]);
  const UniqueFd sink(::open((m_run.string() + ".printed").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  SpawnOptions options{.command = words, .environment = {{"ROADTUNE_SSH_CONFIG", m_network->sshConfig()}}};
  options.output = options.error = Stream::given(sink.get());
  options.newGroup = true;
  return Subprocess::start(options).value();
}

bool FarMatrix::comes(Moment moment) const {
  if (moment == Moment::Step) return within(90, [this] { return lossesOf(m_run).size() > 7; });
  return within(60, [this] {
    std::error_code code;
    for (fs::recursive_directory_iterator at(m_network->home(0) / ".roadtune/bundles", code), end; !code && at != end;
         at.increment(code))
      if (at->path().extension() == ".part") return true;
    return false;
  });
}

pid_t FarMatrix::pidOf(Victim victim, pid_t cli) const {
  if (victim == Victim::Cli) return cli;
  const protocol::RunLayout layout(m_run);
  const auto manifest = protocol::readManifest(layout.manifest());
  if (!manifest.ok() || manifest.value().nodes.size() != 2) return -1;
  if (victim == Victim::Agent0 || victim == Victim::Agent1)
    return static_cast<pid_t>(manifest.value().nodes[victim == Victim::Agent1].agentPid);
  const auto events = protocol::EventReader(layout.rankEvents(victim == Victim::Rank1)).poll().valueOr({});
  return events.empty() ? -1 : static_cast<pid_t>(events.front().body["pid"]);
}

void FarMatrix::strike(const Cell& cell, pid_t cli) const {
  const auto pause = [](double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); };
  if (cell.victim == Victim::Cable0 || cell.victim == Victim::Cable1) {
    const int host = cell.victim == Victim::Cable1 ? 1 : 0;
    m_network->cable(host, false);
    pause(kUnplugged);
    m_network->cable(host, true);
    return;
  }
  if (cell.victim == Victim::Power1) {
    const pid_t agent = pidOf(Victim::Agent1, cli), rank = pidOf(Victim::Rank1, cli);
    m_network->cable(1, false);  // nothing that lived there says goodbye
    for (const pid_t pid : {lookUpProcess(agent)->parent, agent, rank}) ::kill(pid, SIGKILL);
    return;
  }
  const pid_t pid = pidOf(cell.victim, cli);
  ASSERT_GT(pid, 1) << name(cell.victim);
  ASSERT_EQ(::kill(pid, cell.killed ? SIGKILL : SIGSTOP), 0);
  if (cell.killed) return;
  pause(kFrozen);
  ::kill(pid, SIGCONT);
}

std::string FarMatrix::seen() const {
  if (!fs::exists(m_run)) return "not started";
  const auto shown = roadtune(*m_network, {"runs", "show", m_run, "--json"});
  return nlohmann::json::parse(shown.out, nullptr, false).value("state", "?");
}

std::string FarMatrix::leftBehind() const {
  std::string left;
  const auto look = [&] {
    left.clear();
    for (const auto& process : allProcesses()) {
      const std::string words = commandLineOf(process.id.pid);
      const bool ours = words.find("-home/.roadtune/") != std::string::npos &&
                        words.find(m_network->folder().string()) != std::string::npos;
      if (ours && process.alive() && words.find("--stream") == std::string::npos) left += words.substr(0, 80) + "; ";
    }
    return left.empty();
  };
  within(20, look);
  return left.empty() ? "nothing" : left;
}

// Every step once, with the loss of a run that nobody hurt.
std::string FarMatrix::exactness() {
  if (m_undisturbed.empty()) {
    const auto near = roadtune(*m_network, trainWords(folder() / "near", kSteps, {"--nproc-per-node", "2"}));
    EXPECT_EQ(near.exitCode, 0) << near.err;
    m_undisturbed = lossesOf(folder() / "near");
  }
  const auto losses = lossesOf(m_run);
  if (losses.size() != kSteps) return fmt::format("{} of {} steps", losses.size(), kSteps);
  for (const auto& [step, loss] : m_undisturbed)
    if (std::fabs(losses.at(step) - loss) > 2e-3 * loss) return fmt::format("another loss at step {}", step);
  return "exact";
}

std::string FarMatrix::followUp(const Cell& cell) {
  const std::string wanted = cell.after;
  if (wanted == kNothingToDo) return exactness() == "exact" ? kNothingToDo : exactness();
  if (wanted == kAgain) return startTraining().wait().ok() ? "started again: " + seen() : "started again: failed";
  if (wanted == kAttached)
    return roadtune(*m_network, {"attach", m_run, "--progress", "none"}).exitCode == 0 ? "attached: " + seen() : "lost";
  const auto resumed = roadtune(*m_network, {"resume", m_run, "--progress", "none"});
  return resumed.exitCode == 0 ? "resumed: " + exactness() : "not resumed: " + resumed.err;
}

std::string FarMatrix::suffer(const Cell& cell) {
  m_run = folder() / fmt::format("{}-{}-{}", static_cast<int>(cell.victim), cell.killed, static_cast<int>(cell.moment));
  if (cell.moment == Moment::Deploy)
    for (const int host : {0, 1}) fs::remove_all(m_network->home(host) / ".roadtune");
  auto cli = startTraining();
  if (!comes(cell.moment))
    return ::kill(cli.pid(), SIGKILL), "the moment never came: " + readAll(m_run.string() + ".printed");
  strike(cell, cli.pid());
  cli.wait();
  if (cell.victim == Victim::Power1) m_network->cable(1, true);
  const std::string run = seen();
  // A run whose watcher died goes on; everything else has come to an end.
  const std::string left = cell.after == kAttached ? "the run" : leftBehind();
  const std::string after = followUp(cell);
  const std::string gone = leftBehind();
  m_row = fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name(cell.victim), blowOf(cell),
                      cell.moment == Moment::Deploy ? "deploy" : "step", cell.expected, run, left, after);
  const bool good = run.starts_with(cell.expected) && after == cell.after && gone == "nothing" &&
                    (left == "nothing" || cell.after == kAttached);
  return good ? "" : m_row + "left at last: " + gone + "\n" + readAll(m_run.string() + ".printed");
}

constexpr const char* kText =
    "One rank of the real trainer on each of two machines: network namespaces with a sshd, a home and a cable of their "
    "own.\nResumed losses are compared with a run that nobody hurt. SIGSTOP is followed by SIGCONT after 0.7 s;\n"
    "a machine whose power was cut is back when the run has ended, and `peer_timeout` is 10 s.\n\n"
    "| hit | with | while | expected | seen | left behind | afterwards |\n|---|---|---|---|---|---|---|\n";

TEST_F(FarMatrix, EndsAsTheDesignPromises) {
  const bool full = testing::fullMatrixWanted();
  std::string text = kText;
  for (const Cell& cell : allCells()) {
    const bool sample =
        cell.killed && (cell.moment == Moment::Deploy || cell.victim == Victim::Agent1 || cell.victim == Victim::Rank1);
    if (!full && !sample) continue;
    EXPECT_EQ(suffer(cell), "") << blowOf(cell) << " " << name(cell.victim);
    text += m_row;
  }
  if (full) ASSERT_TRUE(testing::writeMatrixChapter("On two machines", text).ok());
}

}  // namespace
}  // namespace roadtune::remote
