// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/launch/launched_run.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/protocol/event_reader.h"
#include "remote/agent/agent_lock.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace roadtune::testing {

LaunchedRun::LaunchedRun() = default;
LaunchedRun::~LaunchedRun() = default;

void LaunchedRun::SetUp() {
  m_folder.write("model/config.json", "{}");
  m_folder.write("train.jsonl", "");
  m_folder.write("run.yaml",
                 "model_name_or_path: model\noutput_dir: out\ntrain_data: train.jsonl\nmax_steps: 40\ndevice: cpu\n");
  variable("ROADTUNE_TRAINER", std::string(ROADTUNE_BIN_DIR) + "/../fakes/fake-rank");
  variable("XDG_RUNTIME_DIR", m_folder.path().string());
}

void LaunchedRun::TearDown() {
  EXPECT_TRUE(eventually([this] { return isGone(); })) << "processes were left behind";
  for (const auto& process : processes()) {
    ADD_FAILURE() << "left: " << process.id.pid << " " << remote::commandLineOf(process.id.pid);
    ::kill(process.id.pid, SIGKILL);
  }
}

void LaunchedRun::setting(const std::string& line) {
  m_folder.write("run.yaml", readAll(m_folder / "run.yaml") + line + "\n");
}

ProgramResult LaunchedRun::roadtune(std::vector<std::string> words, int timeoutSeconds) {
  words.insert(words.begin(), "roadtune");
  return runProgram(
      words, {.environment = m_environment, .folder = m_folder.path().string(), .timeoutSeconds = timeoutSeconds});
}

Subprocess LaunchedRun::startRoadtune(std::vector<std::string> words) { return start("roadtune", std::move(words)); }

Subprocess LaunchedRun::start(const std::string& program, std::vector<std::string> words) {
  words.insert(words.begin(), programPath(program));
  const UniqueFd sink(::open((m_folder / "printed").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  SpawnOptions options{.command = words, .folder = m_folder.path()};
  for (const auto& [name, value] : m_environment) options.environment.emplace_back(name, value);
  options.output = options.error = Stream::given(sink.get());
  options.newGroup = true;
  return Subprocess::start(options).value();
}

std::string LaunchedRun::printed() const { return readAll(m_folder / "printed"); }

bool LaunchedRun::eventually(const std::function<bool()>& condition) const {
  const double deadline = monotonicSeconds() + 20;
  while (!condition()) {
    if (monotonicSeconds() > deadline) return false;
    ::usleep(20'000);
  }
  return true;
}

bool LaunchedRun::reachesStep(std::int64_t step, int rank) const {
  return eventually([&] {
    const auto events = rankEvents(rank);
    return !events.empty() && events.back().step >= step;
  });
}

bool LaunchedRun::isGone() const { return processes().empty(); }

std::vector<protocol::Event> LaunchedRun::rankEvents(int rank) const {
  return protocol::EventReader(layout().rankEvents(rank)).poll().valueOr({});
}

std::vector<protocol::Event> LaunchedRun::nodeEvents() const {
  return protocol::EventReader(layout().nodeEvents(0)).poll().valueOr({});
}

std::optional<protocol::Event> LaunchedRun::last(const std::vector<protocol::Event>& events,
                                                 const std::string& kind) const {
  for (auto event = events.rbegin(); event != events.rend(); ++event)
    if (event->kind == kind) return *event;
  return std::nullopt;
}

pid_t LaunchedRun::agent() const {
  pid_t pid = -1;
  EXPECT_TRUE(eventually([&] {
    const auto holder = remote::AgentLock::holder(run(), 0);
    pid = holder ? holder->pid : -1;
    return pid > 0;
  }));
  return pid;
}

pid_t LaunchedRun::guardian() const { return remote::lookUpProcess(agent())->parent; }

std::vector<remote::ProcessEntry> LaunchedRun::processes() const {
  std::vector<remote::ProcessEntry> mine;
  for (const auto& process : remote::allProcesses())
    if (process.id.pid != ::getpid() && process.alive() &&
        remote::commandLineOf(process.id.pid).find(m_folder.path().string()) != std::string::npos)
      mine.push_back(process);
  return mine;
}

}  // namespace roadtune::testing
