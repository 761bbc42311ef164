// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/agent.h"

#include "core/base/clock.h"
#include "core/base/exit_code.h"
#include "core/protocol/manifest.h"
#include "remote/agent/last_word.h"
#include "remote/agent/oom.h"
#include "remote/agent/telemetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

namespace roadtune::remote {

using nlohmann::json;
using protocol::ControlWord;

namespace {

constexpr int kGlances = 10;     // at the cards, for every sample that is written
constexpr double kNowGrace = 2;  // "stop now": what a rank gets after the word, and again after SIGTERM
constexpr double kEcho = 0.5;    // seconds: who signals a group reaches us, and the guardian that passes it on

// A line in the agent's log. The disk it lies on may be full, and that is no reason to end.
void note(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

// Exit codes of a rank that mean "asked to stop, and did".
bool isPoliteEnd(const ExitStatus& exit) { return exit.code == kExitDone || exit.code == kExitInterrupted; }

}  // namespace

Agent::Agent(AgentOptions options)
    : m_options(std::move(options)),
      m_layout(m_options.run),
      m_controlFile(m_layout.control()),
      m_sampler(m_options.run),
      m_clock(m_options.run, m_options.plan.node) {}

Agent::~Agent() = default;

Result<std::unique_ptr<Agent>> Agent::start(AgentOptions options) {
  std::unique_ptr<Agent> agent(new Agent(std::move(options)));
  ROADTUNE_CHECK(agent->open());
  ROADTUNE_CHECK(agent->choosePort());
  ROADTUNE_CHECK(agent->startRanks());
  agent->updateManifest();
  return agent;
}

Status Agent::open() {
  ROADTUNE_CHECK(makeFolders(m_layout.events()));
  ROADTUNE_CHECK(makeFolders(m_layout.logs()));
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // what a rank leaves behind is handed to us
  sigset_t taken;
  sigemptyset(&taken);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&taken, signal);
  ::sigprocmask(SIG_BLOCK, &taken, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  m_signals.reset(::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!m_signals.valid()) return systemError("cannot watch signals");

  ROADTUNE_TRY(m_events, protocol::EventWriter::open(m_layout.nodeEvents(m_options.plan.node), m_options.plan.node));
  ROADTUNE_TRY(const fs::path socket, agentSocketPath(m_options.run, m_options.plan.node));
  ROADTUNE_TRY(ControlServer server, ControlServer::listen(socket));
  m_server.emplace(std::move(server));
  std::error_code ignored;
  fs::remove(m_layout.control(), ignored);  // words for an earlier life of this run
  return {};
}

Status Agent::choosePort() {
  RankPlan& plan = m_options.plan;
  if (plan.node != 0) return {};  // decided by node 0's machine
  if (m_options.portGiven) return checkPortFree(plan.masterPort);
  ROADTUNE_TRY(plan.masterPort, findFreePort());
  return {};
}

Status Agent::startRanks() {
  if (m_options.command.empty()) {
    ROADTUNE_TRY(const fs::path trainer, siblingProgram("roadtune-train"));
    m_options.command = {trainer.string(), "--run", m_options.run.string()};
  }
  auto command = m_options.command;
  command.insert(command.end(), m_options.forRanks.begin(), m_options.forRanks.end());
  m_nvml = Nvml::open();
  m_oomKillsBefore = oomKills();
  m_events->write("hello", 0, helloBody(m_nvml.get()));
  for (int local = 0; local < m_options.plan.processes; ++local) {
    std::error_code absent;
    const int rank = m_options.plan.firstRank + local;
    const auto size = fs::file_size(m_layout.rankLog(rank), absent);
    m_logBegins[rank] = absent ? 0 : size;
    const auto told = fs::file_size(m_layout.rankEvents(rank), absent);
    m_eventBegins[rank] = absent ? 0 : told;
  }
  m_watch.emplace(m_layout, m_options.plan, m_options.supervision);
  ROADTUNE_CHECK(m_ranks.start(m_options.plan, command, m_layout, m_options.environment));
  for (const auto& rank : m_ranks.ranks()) {
    json body = startedBody(rank);
    body["log_begin"] = m_logBegins[rank.rank];
    m_events->write("process", 0, body);
  }
  encloseRanks();
  m_sampler.sample(monotonicSeconds());  // the rates of the first sample start here
  m_nextSample = monotonicSeconds() + m_options.sampleInterval;
  return {};
}

// Into a control group, where that is allowed; else their process groups and parents are what we know them by.
void Agent::encloseRanks() {
  if (!m_cgroup) {
    auto made = RankCgroup::make(fmt::format("roadtune-{}-{}", ::getppid(), m_options.plan.node));
    if (!made.ok()) return m_events->write("group", 0, {{"cgroup", ""}, {"reason", made.error().text()}}), void();
    m_cgroup = std::move(made).value();
  }
  for (const auto& rank : m_ranks.ranks())
    if (const Status added = m_cgroup->add(rank.id.pid); !added.ok() && isAlive(rank.id)) note(added.error().text());
  m_events->write("group", 0, {{"cgroup", m_cgroup->folder().string()}});
}

// Where to reach us is told to everybody who finds the folder. A folder without a manifest (ranks started by another
// launcher's hand) and a full disk are no reason to stop: control falls back to the control file.
void Agent::updateManifest() {
  auto manifest = protocol::readManifest(m_layout.manifest());
  if (!manifest.ok()) return;
  auto& nodes = manifest.value().nodes;
  auto mine = std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.node == m_options.plan.node; });
  if (mine == nodes.end()) mine = nodes.insert(nodes.end(), {.node = m_options.plan.node});
  const auto self = lookUpProcess(::getpid());
  mine->host = helloBody(nullptr)["host"];
  mine->processes = m_options.plan.processes;
  mine->agentSocket = m_server->path().string();
  mine->agentPid = ::getpid();
  mine->agentStart = self ? self->id.startTicks : 0;
  manifest.value().masterAddress = m_options.plan.masterAddress;
  manifest.value().masterPort = m_options.plan.masterPort;
  manifest.value().worldSize = m_options.plan.worldSize;
  if (const Status written = protocol::writeManifest(m_layout.manifest(), manifest.value()); !written.ok())
    note(written.error().text());
}

std::string Agent::readyLine() const {
  const auto self = lookUpProcess(::getpid());
  return json{{"pid", ::getpid()},
              {"start", self ? self->id.startTicks : 0},
              {"socket", m_server->path().string()},
              {"master_port", m_options.plan.masterPort}}
      .dump();
}

int Agent::waitTime(double now) const {
  double until = m_nvml ? std::min(m_nextSample, m_nextGlance) : m_nextSample;
  if (const auto next = m_ladder.nextAt()) until = std::min(until, *next);
  return static_cast<int>(std::ceil(std::clamp(until - now, 0.0, 10.0) * 1000));
}

int Agent::run() {
  do {
    superviseToTheEnd();
    clearDescendants();
  } while (restart());
  return finish();
}

void Agent::superviseToTheEnd() {
  collect();  // those who died before we watched
  while (m_ranks.anyLeft()) {
    std::vector<pollfd> watched{{m_signals.get(), POLLIN, 0}};
    m_server->addTo(watched);
    ::poll(watched.data(), watched.size(), waitTime(monotonicSeconds()));
    takeSignals();
    m_server->serve([this](const std::string& line) { return answer(line); });
    const double now = monotonicSeconds();
    if (m_nvml && now >= m_nextGlance) {
      m_nvml->glance();
      m_nextGlance = std::max(m_nextGlance + m_options.sampleInterval / kGlances, now);
    }
    if (now >= m_nextSample) {
      sample(now);
      readControlFile();
      readClockNote();
      watchRanks(now);
    }
    climb(now);
  }
}

void Agent::takeSignals() {
  signalfd_siginfo info{};
  bool childEnded = false;
  while (::read(m_signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    childEnded |= info.ssi_signo == SIGCHLD;
    const double now = monotonicSeconds();
    if ((info.ssi_signo != SIGTERM && info.ssi_signo != SIGINT) || (m_signalled > 0 && now - m_signalled < kEcho))
      continue;
    m_signalled = now;
    obey({.word = m_stopAsked ? ControlWord::StopNow : ControlWord::Stop});
  }
  if (childEnded) collect();
}

void Agent::readControlFile() {
  const auto obeyLine = [this](std::string_view line, std::uint64_t) {
    if (!line.empty()) note(fmt::format("control file: {} -> {}", line, answer(std::string(line))));
    return true;
  };
  [[maybe_unused]] const auto lines = m_controlFile.poll(obeyLine);  // absent, mostly
}

void Agent::readClockNote() {
  if (auto news = m_clock.news()) m_events->write("clock", 0, std::move(*news));
}

std::string Agent::answer(const std::string& line) {
  const auto command = protocol::parseControlLine(line);
  if (!command.ok()) return protocol::encodeReply({.ok = false, .message = command.error().text()});
  protocol::ControlReply reply{.id = command.value().id};
  reply.message = obey(command.value());
  return protocol::encodeReply(reply);
}

std::string Agent::obey(const protocol::ControlCommand& command) {
  const double now = monotonicSeconds();
  const int taken = m_ranks.send(protocol::encodeControl(command));
  if (command.word == ControlWord::Stop) {
    m_stopAsked = true;
    m_ladder.request(now, m_options.stopGrace, m_options.killGrace);
  }
  if (command.word == ControlWord::StopNow) {
    m_stopAsked = m_stopNowAsked = true;
    m_ladder.request(now, kNowGrace, kNowGrace);
  }
  m_events->write("control", 0, {{"word", std::string(protocol::name(command.word))}, {"ranks", taken}});
  return fmt::format("told {} of {} ranks", taken, m_ranks.ranks().size());
}

void Agent::collect() {
  auto reaped = m_ranks.reap();
  if (!reaped.empty()) readControlFile();  // they may have ended for want of others who were told to stop
  for (const auto& ended : reaped) {
    m_events->write("process", 0, endedBody(ended, m_terminated && ended.exit && ended.exit->signal != 0));
    judge(ended);
  }
}

// The first rank that fails is the story; the others fail because of it, or are stopped here.
void Agent::judge(const RankProcess& ended) {
  const bool polite = isPoliteEnd(*ended.exit);
  const bool byUs = m_terminated && ended.exit->signal != 0;
  if (!polite && !m_stopNowAsked && !byUs) m_failed.push_back(ended);
  if (!m_ranks.anyLeft()) return;
  if (!polite) m_ladder.request(monotonicSeconds(), 0, m_options.killGrace);
  if (polite && !m_stopAsked && wasStopped(ended)) obey({.word = ControlWord::Stop});
}

// A rank that was asked, by us or by a signal from outside, says so; one that says nothing is believed its exit code.
bool Agent::wasStopped(const RankProcess& rank) const {
  if (!rank.exit) return true;
  if (const auto word = wordOf(rank.rank); word && rank.exit->signal == 0) return word->reason == "stopped";
  return m_stopAsked || rank.exit->code == kExitInterrupted;
}

void Agent::climb(double now) {
  const auto step = m_ladder.due(now);
  if (step == StopLadder::Step::None || !m_ranks.anyLeft()) return;
  m_terminated = true;
  m_ranks.signalAll(step == StopLadder::Step::Kill ? SIGKILL : SIGTERM);
  if (m_cgroup && step == StopLadder::Step::Kill) m_cgroup->killAll();
}

void Agent::sample(double now) {
  std::vector<GpuSample> gpus;
  if (m_nvml)
    for (std::size_t i = 0; i < m_nvml->gpus().size(); ++i) gpus.push_back(m_nvml->summary(i));
  json body = nodeBody(m_sampler.sample(now), gpus);
  if (m_cgroup) addUsage(body, m_cgroup->usage());
  m_events->write("node", 0, std::move(body));
  m_nextSample = std::max(m_nextSample + m_options.sampleInterval, now);
}

// Ranks may have started processes that left their group. Whatever still hangs below us ends now.
void Agent::clearDescendants() {
  for (int round = 0; round < 100; ++round) {
    m_ranks.reap();
    bool left = false;
    for (const auto& process : descendantsOf(::getpid())) {
      left |= process.alive();
      ::kill(process.id.pid, round < 20 ? SIGTERM : SIGKILL);
    }
    // What was handed to nobody of ours is still in the group.
    if (m_cgroup && !m_cgroup->members().empty()) {
      left = true;
      if (round >= 20) m_cgroup->killAll();
    }
    if (!left) return;
    ::usleep(100'000);
  }
}

}  // namespace roadtune::remote
