// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/link_matrix.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/launch/check_step.h"
#include "remote/launch/host_facts.h"
#include "remote/launch/meeting_address.h"
#include "remote/ssh/remote_process.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <thread>

namespace roadtune::remote {

namespace {

constexpr double kAnswering = 60;      // seconds the other end listens at most
constexpr double kCallLimit = 12;      // for one call
constexpr double kFarSlower = 0.5;     // of the median bandwidth
constexpr double kSlowLatency = 0.01;  // seconds

std::string makeSecret() {
  std::random_device device;
  std::string secret;
  for (int i = 0; i < 4; ++i) secret += fmt::format("{:08x}", device());
  return secret;
}

// A machine that listens. Lives on one thread.
struct Station {
  std::string host, address, program, error;
  int port = 0;
};

// The answering end, kept alive on its own thread until told to leave.
class Answerer {
 public:
  Answerer(Station& station, const HostAccess& access, const std::string& secret)
      : m_thread([this, &station, &access, secret] { serve(station, access, secret); }) {}
  ~Answerer() { m_leave = true; }
  bool ready() const { return m_ready; }

 private:
  void serve(Station& station, const HostAccess& access, const std::string& secret) {
    if (const Status status = open(station, access, secret); !status.ok()) station.error = status.error().text();
    m_ready = true;
    while (!m_leave) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    m_process.reset();
    m_session.reset();
  }

  Status open(Station& station, const HostAccess& access, const std::string& secret) {
    ROADTUNE_TRY(Session session, access.connect(station.host));
    m_session = std::make_unique<Session>(std::move(session));
    ROADTUNE_TRY(const std::string words, m_session->output("echo $SSH_CONNECTION"));
    const auto parts = split(std::string(trim(words)), ' ');
    if (parts.size() != 4) return failed("does not tell its address: " + words, station.host);
    station.address = parts[2];
    ROADTUNE_TRY(station.program, toolThere(*m_session));
    ROADTUNE_TRY(
        RemoteProcess process,
        RemoteProcess::start(*m_session, shellCommand({station.program, "--answer", fmt::format("{}", kAnswering)})));
    m_process = std::make_unique<RemoteProcess>(std::move(process));
    ROADTUNE_CHECK(m_process->write(secret + "\n"));
    std::string line;
    for (const double deadline = monotonicSeconds() + 10; line.find('\n') == std::string::npos;) {
      if (monotonicSeconds() > deadline || m_process->ended() || m_leave)
        return failed("cannot listen: " + m_process->errors(), station.host);
      ROADTUNE_TRY(const std::string bytes, m_process->read(0.2));
      line += bytes;
    }
    const auto told = nlohmann::json::parse(line, nullptr, false);
    station.port = told.is_object() ? told.value("port", 0) : 0;
    return station.port > 0 ? Status() : Status(failed("cannot listen: " + line, station.host));
  }

  std::atomic<bool> m_leave{false}, m_ready{false};
  std::unique_ptr<Session> m_session;
  std::unique_ptr<RemoteProcess> m_process;
  std::jthread m_thread;
};

// Those that answer are called by addresses at which the others find them.
void meet(std::vector<Station>& stations, std::vector<std::optional<Session>>& sessions, const HostAccess& access) {
  if (std::none_of(stations.begin(), stations.end(), [](const Station& one) { return isLoopback(one.address); }))
    return;
  std::vector<Meeting> meetings;
  for (std::size_t i = 0; i < stations.size(); ++i) {
    Station& station = stations[i];
    if (!station.error.empty()) continue;
    auto session = access.connect(station.host);
    if (session.ok())
      meetings.push_back({station.host, &sessions[i].emplace(std::move(session).value()), &station.address});
    else
      station.error = session.error().text();
  }
  const Status met = leaveLoopbacks(meetings);
  for (Station& station : stations)
    if (!met.ok() && station.error.empty() && isLoopback(station.address)) station.error = met.error().text();
}

// One connection serves all calls of a machine; a call that failed may have broken it.
Result<Link> call(std::optional<Session>& session, const Station& from, const Station& to, const HostAccess& access,
                  const std::string& secret, CheckStep& step) {
  Link link{.from = from.host, .to = to.host};
  if (!session) {
    ROADTUNE_TRY(session, access.connect(from.host));
  }
  ROADTUNE_TRY(const std::string text,
               session->output(shellCommand({from.program, "--call", to.address, std::to_string(to.port)}),
                               {.input = secret + "\n", .timeoutSeconds = kCallLimit, .stopRequested = [&] {
                                  return step.stopped();
                                }}));
  const auto told = nlohmann::json::parse(text, nullptr, false);
  if (!told.is_object()) return failed("gives no understandable answer: " + text.substr(0, 80), from.host);
  link.error = told.value("error", std::string(told.value("ok", false) ? "" : "no answer"));
  link.latencySeconds = told.value("latency_s", 0.0);
  link.bytesPerSecond = told.value("bps", 0.0);
  return link;
}

}  // namespace

Result<std::vector<Link>> probeLinks(const std::vector<std::string>& hosts, const HostAccess& access,
                                     ProgressSink* progress) {
  const std::string secret = makeSecret();
  CheckStep step(progress, "links", hosts.size() * (hosts.size() - 1), "pairs");
  std::vector<Station> stations;
  for (const auto& host : hosts) stations.push_back({.host = host, .address = {}, .program = {}, .error = {}});
  std::vector<std::unique_ptr<Answerer>> answerers;
  for (auto& station : stations) answerers.push_back(std::make_unique<Answerer>(station, access, secret));
  for (const auto& answerer : answerers)
    while (!answerer->ready() && !step.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::vector<std::optional<Session>> sessions(hosts.size());
  if (!step.stopped()) meet(stations, sessions, access);
  std::vector<Link> links;
  for (std::size_t round = 1; round < hosts.size() && !step.stopped(); ++round) {
    std::vector<Link> found(hosts.size());
    std::vector<std::jthread> callers;
    for (std::size_t i = 0; i < hosts.size(); ++i)
      callers.emplace_back([&, i] {
        const Station &from = stations[i], &to = stations[(i + round) % hosts.size()];
        found[i] = {.from = from.host, .to = to.host, .error = from.error.empty() ? to.error : from.error};
        if (!found[i].error.empty()) return;
        auto link = call(sessions[i], from, to, access, secret, step);
        if (link.ok()) {
          found[i] = std::move(link).value();
          return;
        }
        found[i].error = link.error().text();
        sessions[i].reset();
      });
    callers.clear();  // joins
    step.advance(hosts.size());
    links.insert(links.end(), found.begin(), found.end());
  }
  if (step.stopped()) return cancelled();
  return links;
}

std::vector<Check> judgeLinks(const std::vector<Link>& links) {
  std::vector<Check> checks;
  if (links.empty()) return checks;
  std::vector<double> speeds, latencies;
  for (const auto& link : links)
    if (link.error.empty()) {
      speeds.push_back(link.bytesPerSecond);
      latencies.push_back(link.latencySeconds);
    }
  std::sort(speeds.begin(), speeds.end());
  std::sort(latencies.begin(), latencies.end());
  const double usual = speeds.empty() ? 0 : speeds[speeds.size() / 2];
  Check all{"links", Verdict::Fine, "", {}};
  if (speeds.empty())
    all = {"links", Verdict::Bad, "no machine reaches another one", "open the ports between the machines"};
  else
    all.value = fmt::format("{} of {} pairs; {}/s to {}/s, {:.2f} ms to {:.2f} ms there and back", speeds.size(),
                            links.size(), formatBytes(speeds.front()), formatBytes(speeds.back()),
                            latencies.front() * 1000, latencies.back() * 1000);
  checks.push_back(std::move(all));
  for (const auto& link : links) {
    const std::string pair = link.from + " → " + link.to;
    if (!link.error.empty()) {
      checks.push_back({"link " + pair, Verdict::Bad, link.error,
                        "let " + link.from + " open connections to " + link.to + ": firewall, route, interface"});
    } else if (link.bytesPerSecond < kFarSlower * usual || link.latencySeconds > kSlowLatency) {
      checks.push_back({"link " + pair, Verdict::Doubtful,
                        fmt::format("{}/s, {:.2f} ms there and back; {}/s is usual here",
                                    formatBytes(link.bytesPerSecond), link.latencySeconds * 1000, formatBytes(usual)),
                        "a bad cable, a slow switch port or the wrong interface; this pair slows every step"});
    }
  }
  return checks;
}

}  // namespace roadtune::remote
