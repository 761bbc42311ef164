// SPDX-License-Identifier: GPL-3.0-or-later
// Who may die when, and what is left: every cell is done to a living run of two ranks. With ROADTUNE_FULL_MATRIX=1 all
// cells run, and their chapter of resources/docs/kill-matrix.md is written anew; else a few of them.
#include "core/base/files.h"
#include "core/protocol/event_reader.h"
#include "remote/agent/agent_lock.h"
#include "tests/integration/launch/launched_run.h"
#include "tests/integration/matrix/matrix_cell.h"
#include "tests/integration/matrix/matrix_page.h"

#include <fmt/format.h>

#include <csignal>
#include <map>
#include <sys/mount.h>

namespace roadtune::testing {
namespace {

constexpr int kSteps = 60;

class KillMatrix : public LaunchedRun {
 protected:
  Outcome suffer(const Cell& cell);
  void TearDown() override {
    if (m_mounted) ::umount2(m_disk.c_str(), MNT_DETACH);
    LaunchedRun::TearDown();
  }

 private:
  void prepare(const Cell& cell, const std::string& output);
  bool waitFor(Moment moment) const;
  pid_t victimOf(const Cell& cell, pid_t cli) const;
  Subprocess startTraining();
  Subprocess startStudio();
  void endWhenFinished(pid_t studio) const;
  Outcome seen(bool resume);
  std::string resumeExactly();
  bool isAt(Moment moment) const;
  void fill(bool full) const;

  std::filesystem::path m_output, m_disk;
  bool m_mounted = false;
};

void KillMatrix::prepare(const Cell& cell, const std::string& output) {
  m_output = folder() / output;
  variable("ROADTUNE_AGENT_OPTIONS", "--sample-interval 0.1 --kill-grace 1 --orphan-grace 5 --stall-minimum 30");
  // Each moment lasts long enough to be hit.
  const bool start = cell.moment == Moment::Start, save = cell.moment == Moment::Save,
             finish = cell.moment == Moment::Finish;
  rank(fmt::format("steps={} step_ms=30 save_every=20 start_ms={} save_ms={} finish_ms={}", kSteps, start ? 1500 : 0,
                   save ? 1500 : 5, finish ? 1500 : 0));
  if (cell.victim != Victim::Disk) return;
  m_disk = m_output;
  std::filesystem::create_directories(m_disk);
  m_mounted = ::mount("tmpfs", m_disk.c_str(), "tmpfs", 0, "size=400k") == 0;
}

bool KillMatrix::isAt(Moment moment) const {
  const protocol::RunLayout layout(m_output);
  const auto events = protocol::EventReader(layout.rankEvents(0)).poll().valueOr({});
  const auto phase = last(events, "phase");
  if (!phase) return false;
  const std::string word = phase->body["name"];
  switch (moment) {
    case Moment::Start: return word == "loading";
    case Moment::Step: return word != "finishing" && events.back().kind == "step" && events.back().step > 22;
    case Moment::Save: return word == "saving" && events.back().kind == "phase" && events.back().step > 30;
    case Moment::Finish: return word == "finishing";
  }
  return false;
}

bool KillMatrix::waitFor(Moment moment) const {
  return eventually([&] { return isAt(moment); });
}

pid_t KillMatrix::victimOf(const Cell& cell, pid_t cli) const {
  const protocol::RunLayout layout(m_output);
  if (cell.victim == Victim::Cli || cell.victim == Victim::Studio) return cli;
  if (cell.victim == Victim::Agent) return remote::AgentLock::holder(m_output, 0).value_or(remote::ProcessId{}).pid;
  const int rank = cell.victim == Victim::Rank1 ? 1 : 0;
  const auto events = protocol::EventReader(layout.nodeEvents(0)).poll().valueOr({});
  for (const auto& event : events)
    if (event.kind == "process" && event.body["rank_of_process"] == rank) return event.body["pid"];
  return -1;
}

void KillMatrix::fill(bool full) const {
  const auto ballast = m_disk / "ballast";
  if (!full) {
    std::filesystem::remove(ballast);
    return;
  }
  std::FILE* file = std::fopen(ballast.c_str(), "w");
  while (file && std::fwrite("full", 1, 4, file) == 4 && std::fflush(file) == 0) {
  }
  if (file) std::fclose(file);
}

// Every step once, in order, and none left out: what a run that was never hurt would show.
std::string KillMatrix::resumeExactly() {
  const auto resumed = roadtune({"resume", m_output.string()});
  if (resumed.exitCode != 0 && resumed.err.find("no complete checkpoint") != std::string::npos)
    return "nothing was saved yet";
  if (resumed.exitCode != 0) return "failed: " + resumed.err;
  std::map<std::int64_t, double> losses;
  const auto events = protocol::EventReader(protocol::RunLayout(m_output).rankEvents(0)).poll().valueOr({});
  for (const auto& event : events)
    if (event.kind == "step") {
      const double loss = event.body["loss"];
      const auto [at, isNew] = losses.emplace(event.step, loss);
      if (!isNew && at->second != loss) return fmt::format("step {} was done twice with another loss", event.step);
    }
  if (losses.size() != kSteps) return fmt::format("{} of {} steps", losses.size(), kSteps);
  return "exact";
}

Outcome KillMatrix::seen(bool resume) {
  Outcome outcome{"?", "nothing", "not needed"};
  if (!eventually([this] { return isGone(); })) {
    outcome.left.clear();
    for (const auto& process : processes()) outcome.left += remote::commandLineOf(process.id.pid) + "; ";
  }
  const auto events = protocol::EventReader(protocol::RunLayout(m_output).nodeEvents(0)).poll().valueOr({});
  if (const auto bye = last(events, "bye")) {
    outcome.run = bye->body["reason"];
    const std::string message = bye->body["message"];
    if (!message.empty() && outcome.run == "failed") outcome.run += ": " + message;
  }
  if (resume) outcome.resumed = resumeExactly();
  return outcome;
}

Outcome KillMatrix::suffer(const Cell& cell) {
  prepare(cell, fmt::format("{}-{}-{}", static_cast<int>(cell.victim), static_cast<int>(cell.blow),
                            static_cast<int>(cell.moment)));
  auto cli = cell.victim == Victim::Studio ? startStudio() : startTraining();
  if (!waitFor(cell.moment)) return {"the moment never came", "", ""};
  pid_t pid = 0;
  const auto known = [&] { return cell.victim == Victim::Disk || (pid = victimOf(cell, cli.pid())) > 0; };
  if (!eventually(known)) return {"nobody to hit", "", ""};
  if (cell.blow == Blow::Kill) {
    ::kill(pid, SIGKILL);
  } else if (cell.blow == Blow::Freeze) {
    ::kill(pid, SIGSTOP);
    ::usleep(700'000);
    ::kill(pid, SIGCONT);
  } else {
    fill(true);
    ::usleep(300'000);
    fill(false);
  }
  if (cell.victim == Victim::Studio && cell.blow != Blow::Kill) endWhenFinished(cli.pid());
  cli.wait();
  const Outcome outcome = seen(expectedOf(cell).resumed != "not needed");
  if (m_mounted) {
    ::umount2(m_disk.c_str(), MNT_DETACH);
    m_mounted = false;
  }
  return outcome;
}

Subprocess KillMatrix::startTraining() {
  return startRoadtune({"train", config(), "--nproc-per-node", "2", "--set", "output_dir=" + m_output.string()});
}

// The window makes the demo and starts its run.
Subprocess KillMatrix::startStudio() {
  const auto demo = m_output.string() + "-demo";
  m_output = demo + "/runs/demo";
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
    variable(name, demo + "-home");
  variable("QT_QPA_PLATFORM", "offscreen");
  auto studio = start("roadtune-studio", {"--demo", "--demo-folder", demo});
  for (int patience = 0; patience < 4; ++patience)  // the demo is drawn first
    if (eventually([this] { return protocol::RunLayout(m_output).isRun(); })) break;
  return studio;
}

void KillMatrix::endWhenFinished(pid_t studio) const {
  const auto ended = [this] {
    const auto events = protocol::EventReader(protocol::RunLayout(m_output).nodeEvents(0)).poll().valueOr({});
    return last(events, "bye").has_value();
  };
  EXPECT_TRUE(eventually(ended));
  ::kill(studio, SIGTERM);
}

std::vector<Cell> allCells() {
  std::vector<Cell> cells;
  for (const Victim victim : {Victim::Studio, Victim::Cli, Victim::Agent, Victim::Rank0, Victim::Rank1})
    for (const Blow blow : {Blow::Kill, Blow::Freeze})
      for (const Moment moment : {Moment::Start, Moment::Step, Moment::Save, Moment::Finish})
        cells.push_back({victim, blow, moment});
  for (const Moment moment : {Moment::Step, Moment::Save, Moment::Finish})
    cells.push_back({Victim::Disk, Blow::Fill, moment});
  return cells;
}

std::vector<Cell> someCells() {
  return {{Victim::Studio, Blow::Kill, Moment::Step}, {Victim::Cli, Blow::Kill, Moment::Step},
          {Victim::Agent, Blow::Kill, Moment::Save},  {Victim::Agent, Blow::Freeze, Moment::Step},
          {Victim::Rank0, Blow::Kill, Moment::Start}, {Victim::Rank1, Blow::Kill, Moment::Step},
          {Victim::Rank1, Blow::Freeze, Moment::Save}};
}

constexpr const char* kPage =
    "A run of two ranks. They are stand-ins that write real events, obey real control words and save real markers, so "
    "that\n"
    "every moment lasts long enough to be hit. SIGSTOP is followed by SIGCONT after 0.7 s, a full disk has room again "
    "after 0.3 s.\n"
    "The studio starts its run with the demo; the command line with `roadtune train`.\n\n"
    "| hit | with | while | expected | seen | left behind | resume |\n|---|---|---|---|---|---|---|\n";

TEST_F(KillMatrix, EndsAsTheDesignPromises) {
  const bool full = fullMatrixWanted();
  std::string page = kPage;
  for (const Cell& cell : full ? allCells() : someCells()) {
    if (cell.victim == Victim::Disk && ::geteuid() != 0) continue;  // mounting needs root
    if (cell.victim == Victim::Studio && !std::filesystem::exists(programPath("roadtune-studio"))) continue;
    const Outcome expected = expectedOf(cell), outcome = suffer(cell);
    const std::string place = fmt::format("{} {} at {}", name(cell.blow), name(cell.victim), name(cell.moment));
    EXPECT_EQ(outcome.run.substr(0, expected.run.size()), expected.run) << place << "\n" << printed();
    EXPECT_EQ(outcome.left, expected.left) << place;
    // Before the first checkpoint there is nothing to go on from, and that is said.
    const bool nothingYet = cell.moment == Moment::Start && outcome.resumed == "nothing was saved yet";
    if (!nothingYet) EXPECT_EQ(outcome.resumed, expected.resumed) << place;
    page += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name(cell.victim), name(cell.blow), name(cell.moment),
                        expected.run, outcome.run, outcome.left, outcome.resumed);
  }
  if (full) ASSERT_TRUE(writeMatrixChapter("On one machine", page).ok());
}

}  // namespace
}  // namespace roadtune::testing
