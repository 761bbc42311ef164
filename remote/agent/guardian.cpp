// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/guardian.h"

#include "core/base/clock.h"
#include "core/base/exit_code.h"
#include "core/base/files.h"
#include "core/base/subprocess.h"
#include "core/base/units.h"
#include "core/protocol/control.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/line_follower.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/agent.h"
#include "remote/agent/agent_lock.h"
#include "remote/agent/rank_cgroup.h"
#include "remote/agent/spare_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace roadtune::remote {

namespace {

volatile std::sig_atomic_t guardedAgent = 0, signalsWithoutAgent = 0;

// Never throws, unlike fmt::print, when the log lies on a full disk.
void writeNote(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

// To who waits for the agent, if they still do.
void tell(const UniqueFd& ready, const std::string& text) {
  [[maybe_unused]] const Status told = writeAll(ready.get(), text, "the pipe");
}

int refuse(const AgentOptions& options, UniqueFd& ready, const Error& error) {
  const int code = exitCode(error.kind);
  if (options.foreground)
    writeNote("roadtune-agent: " + error.text());
  else
    tell(ready, fmt::format("!{} {}\n", code, error.text()));
  return code;
}

[[noreturn]] void becomeAgent(const AgentOptions& options, UniqueFd ready) {
  int code = 0;
  if (auto agent = Agent::start(options); !agent.ok()) {
    code = refuse(options, ready, agent.error());
  } else {
    tell(ready, agent.value()->readyLine() + "\n");
    ready.reset();
    code = agent.value()->run();
    agent.value().reset();  // the event file is written to its end, the socket's file removed
  }
  std::fflush(nullptr);
  ::_exit(code);
}

// Requests meant for the run reach the agent whichever of the two was asked. Its number may be another's when it is
// gone: signals are counted then.
void forwardSignals(pid_t agent) {
  guardedAgent = agent;
  struct sigaction forward {};
  forward.sa_handler = [](int signal) {
    if (guardedAgent > 0)
      ::kill(static_cast<pid_t>(guardedAgent), signal);
    else
      signalsWithoutAgent = signalsWithoutAgent + 1;
  };
  sigemptyset(&forward.sa_mask);
  ::sigaction(SIGTERM, &forward, nullptr);
  ::sigaction(SIGINT, &forward, nullptr);
  std::signal(SIGHUP, SIG_IGN);
}

// The group that the agent made for its ranks, by the name it has for it.
void clearGroup(int node) {
  const auto group = RankCgroup::make(fmt::format("roadtune-{}-{}", ::getpid(), node));
  for (int round = 0; group.ok() && !group.value().remove() && round < 50; ++round) {
    group.value().killAll();
    ::usleep(100'000);
  }
}

// Who cannot reach the agent any more leaves word in the control file, or signals.
class HurryWords {
 public:
  explicit HurryWords(const AgentOptions& options) : m_file(protocol::RunLayout(options.run).control()) {}

  // Is somebody not willing to wait until the ranks have saved? A signal is the second word: they were told to stop.
  bool heard() { return toldNow() || signalsWithoutAgent > 0; }

  // Somebody has asked for this end.
  bool toldNow() {
    const auto take = [this](std::string_view line, std::uint64_t) {
      const auto command = protocol::parseControlLine(line);
      m_told |= command.ok() && command.value().word == protocol::ControlWord::StopNow;
      return true;
    };
    [[maybe_unused]] const auto lines = m_file.poll(take);  // absent, mostly
    return m_told;
  }

 private:
  protocol::LineFollower m_file;
  bool m_told = false;
};

struct Cleared {
  bool all = false;        // nothing is left
  bool killed = false;     // some did not end by themselves
  bool toldNow = false;    // to stop without saving, by the user
  double killedAfter = 0;  // seconds
};

// Waits for inherited ranks, pushing harder with time.
Cleared clearOrphans(const AgentOptions& options) {
  const double began = monotonicSeconds();
  double patience = options.orphanGrace + options.killGrace;
  HurryWords hurry(options);
  bool terminated = false;
  for (Cleared cleared;; ::usleep(200'000)) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    bool left = false;
    const double waited = monotonicSeconds() - began;
    if (hurry.heard()) patience = std::min(patience, waited);
    if (waited >= patience && cleared.killedAfter == 0) cleared.killedAfter = waited;
    for (const auto& process : descendantsOf(::getpid())) {
      if (!process.alive()) continue;
      left = true;
      if (waited >= patience)
        cleared.killed |= ::kill(process.id.pid, SIGKILL) == 0;
      else if (!terminated)
        ::kill(process.id.pid, SIGTERM);  // "save and stop", for those who do not watch their input
    }
    terminated = true;
    cleared.all = !left;
    cleared.toldNow = hurry.toldNow();
    if (!left || waited >= patience + 60) return cleared;  // what is left is stuck in the kernel: nobody can end it
  }
}

std::string wordsOf(const Cleared& cleared) {
  if (!cleared.all) return "some of its processes hang in the kernel and could not be ended";
  if (!cleared.killed) return "its ranks were told to save and stop, and no process is left";
  return fmt::format("its ranks had not saved and stopped after {} and were killed; no process is left",
                     formatDuration(cleared.killedAfter));
}

void writeEpitaph(const AgentOptions& options, const ExitStatus& exit, const Cleared& cleared) {
  const protocol::RunLayout layout(options.run);
  auto events = protocol::EventWriter::open(layout.nodeEvents(options.plan.node), options.plan.node);
  if (!events.ok()) return;
  nlohmann::json body{{"left", cleared.all ? 0 : 1}};
  if (cleared.toldNow && cleared.all) {
    body["reason"] = "stopped";
    body["exit_code"] = int{kExitInterrupted};
    body["message"] = "stopped without saving";
  } else {
    body["reason"] = "failed";
    body["exit_code"] = int{kExitFailed};
    body["message"] = fmt::format("the agent was ended from outside ({}); {}", exit.text(), wordsOf(cleared));
    body["transient"] = cleared.all;
  }
  events.value()->write("bye", 0, std::move(body));
}

}  // namespace

int guardAgent(const AgentOptions& options, UniqueFd ready) {
  auto lock = AgentLock::take(options.run, options.plan.node);
  if (!lock.ok()) return refuse(options, ready, lock.error());
  holdSpareRoom(options.run, options.plan.node);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) return refuse(options, ready, systemError("cannot start a process"));
  if (pid == 0) becomeAgent(options, std::move(ready));
  ready.reset();
  forwardSignals(pid);
  if (const auto entry = lookUpProcess(pid))
    if (const Status named = lock.value().name(entry->id); !named.ok()) writeNote(named.error().text());
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  guardedAgent = 0;
  const ExitStatus exit = ExitStatus::fromWait(status);
  if (exit.signal == 0) {
    giveUpSpareRoom(options.run, options.plan.node);  // where the agent came to no goodbye
    return exit.code;
  }
  writeNote(fmt::format("the agent was {}; clearing up", exit.text()));
  const Cleared cleared = clearOrphans(options);
  clearGroup(options.plan.node);
  giveUpSpareRoom(options.run, options.plan.node);
  writeEpitaph(options, exit, cleared);
  return kExitFailed;
}

int launchInBackground(const AgentOptions& options) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    writeNote("roadtune-agent: " + systemError("cannot make a pipe").text());
    return kExitFailed;
  }
  UniqueFd ours(ends[0]), theirs(ends[1]);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ours.reset();
    ::setsid();
    std::signal(SIGHUP, SIG_IGN);
    const protocol::RunLayout layout(options.run);
    const Status made = makeFolders(layout.logs());
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const UniqueFd log(
        ::open(layout.agentLog(options.plan.node).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!made.ok()) ::_exit(refuse(options, theirs, made.error()));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(log.valid() ? log.get() : nothing.get(), STDOUT_FILENO);
    ::dup2(log.valid() ? log.get() : nothing.get(), STDERR_FILENO);
    ::_exit(guardAgent(options, std::move(theirs)));
  }
  theirs.reset();
  std::string line;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(ours.get(), buffer, sizeof buffer)) != 0;) {
    if (count < 0 && errno != EINTR) break;
    if (count > 0) line.append(buffer, static_cast<std::size_t>(count));
  }
  if (!line.empty() && line.front() == '{') {
    std::fputs(line.c_str(), stdout);
    return kExitDone;
  }
  const auto space = line.find(' ');
  if (line.empty() || space == std::string::npos) {
    writeNote("roadtune-agent: ended before it could say why; see " +
              protocol::RunLayout(options.run).agentLog(options.plan.node).string());
    return kExitFailed;
  }
  std::fputs(line.c_str() + space + 1, stderr);
  return std::atoi(line.c_str() + 1);
}

}  // namespace roadtune::remote
