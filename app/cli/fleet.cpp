// SPDX-License-Identifier: GPL-3.0-or-later
// fleet check: what would go wrong late, told in the first seconds.
#include "core/config/fleet.h"

#include "app/cli/command.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/agent/machine_facts.h"
#include "remote/launch/host_facts.h"
#include "remote/launch/preflight.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <unistd.h>

namespace roadtune::cli {

namespace {

using nlohmann::json;

struct FleetOptions {
  std::string hosts, fleet, folder = ".", trusted;
  bool json = false, gpu = false;
};

Result<std::vector<std::string>> hostsOf(const FleetOptions& options) {
  if (!options.fleet.empty() && !options.hosts.empty())
    return badInput("--hosts and --fleet exclude each other", "roadtune fleet check");
  if (!options.fleet.empty()) return config::readFleet(options.fleet);
  std::vector<std::string> hosts;
  for (const auto& name : split(options.hosts, ','))
    if (const auto host = trim(name); !host.empty()) hosts.emplace_back(host);
  return hosts;
}

json toJson(const remote::Check& check) {
  return {{"name", check.name},
          {"verdict", remote::verdictName(check.verdict)},
          {"value", check.value},
          {"fix", check.fix}};
}

void printJson(const std::vector<remote::HostReport>& reports, const std::vector<remote::Check>& together) {
  json root{{"hosts", json::array()}, {"together", json::array()}};
  for (const auto& report : reports) {
    json host{
        {"host", report.host}, {"usable", report.usable()}, {"seconds", report.seconds}, {"checks", json::array()}};
    for (const auto& check : report.checks) host["checks"].push_back(toJson(check));
    root["hosts"].push_back(std::move(host));
  }
  for (const auto& check : together) root["together"].push_back(toJson(check));
  fmt::print("{}\n", root.dump(2, ' ', false, json::error_handler_t::replace));
}

std::string mark(remote::Verdict verdict) {
  const bool colour = wantsColour(STDOUT_FILENO);
  const auto painted = [colour](const char* sign, const char* code) {
    return colour ? fmt::format("\033[{}m{}\033[0m", code, sign) : std::string(sign);
  };
  switch (verdict) {
    case remote::Verdict::Fine: return painted("✓", "32");
    case remote::Verdict::Doubtful: return painted("!", "33");
    case remote::Verdict::Bad: return painted("✗", "31");
    case remote::Verdict::Unknown: break;
  }
  return painted("?", "2");
}

void print(const std::vector<remote::Check>& checks) {
  for (const auto& check : checks) {
    fmt::print("  {} {:<12} {}\n", mark(check.verdict), check.name, check.value);
    if (!check.fix.empty()) fmt::print("    {:<12} → {}\n", "", check.fix);
  }
}

remote::HostReport checkHere(const FleetOptions& options, const remote::PreflightLimits& limits, json& facts) {
  const double began = monotonicSeconds();
  facts = remote::machineFacts(options.folder);
  remote::HostReport report{.host = facts.value("host", "localhost")};
  report.checks = remote::judgeMachine(facts, limits);
  report.checks.push_back(remote::checkTrainerHere());
  report.seconds = monotonicSeconds() - began;
  return report;
}

Result<int> check(const FleetOptions& options) {
  ROADTUNE_TRY(const auto hosts, hostsOf(options));
  const remote::PreflightLimits limits{.needGpu = options.gpu};
  std::vector<remote::HostReport> reports;
  std::vector<std::pair<std::string, json>> facts;
  if (hosts.empty()) {
    facts.emplace_back("here", json());
    reports.push_back(checkHere(options, limits, facts.back().second));
  } else {
    ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts(options.trusted)));
    for (auto& host : remote::checkHosts(hosts, access, options.folder, limits)) {
      if (!host.facts.is_null()) facts.emplace_back(host.report.host, std::move(host.facts));
      reports.push_back(std::move(host.report));
    }
  }
  const auto together = remote::judgeAgreement(facts);
  bool usable = true;
  for (const auto& report : reports) usable &= report.usable();
  for (const auto& one : together) usable &= one.verdict != remote::Verdict::Bad;
  if (options.json) {
    printJson(reports, together);
    return usable ? kExitDone : kExitMissing;
  }
  for (const auto& report : reports) {
    fmt::print("{} ({})\n", report.host, formatDuration(report.seconds));
    print(report.checks);
  }
  if (!together.empty()) fmt::print("together\n");
  print(together);
  fmt::print("{}\n", usable ? "ready to train" : "not ready: see the lines marked ✗");
  return usable ? kExitDone : kExitMissing;
}

const Registration kFleetCheck{
    "fleet check", "Look for what would go wrong late: machines, disks, drivers, clocks", [](CLI::App& app) -> Action {
      auto options = std::make_shared<FleetOptions>();
      app.add_option("--hosts", options->hosts, "machines, separated by commas (default: this one)");
      app.add_option("--fleet", options->fleet, "a file that lists machines");
      app.add_option("--folder", options->folder, "where runs would be written")->capture_default_str();
      app.add_option("--trust-host-key", options->trusted, "fingerprint (SHA256:...) of a host key not known yet");
      app.add_flag("--gpu", options->gpu, "a machine without a card is not good enough");
      app.add_flag("--json", options->json, "print the matrix as JSON");
      return [options] { return check(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
