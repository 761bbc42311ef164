// SPDX-License-Identifier: GPL-3.0-or-later
// fleet check: what would go wrong late, told in the first seconds.
#include "app/cli/command.h"
#include "app/cli/host_list.h"
#include "app/cli/storage_reads.h"
#include "app/cli/terminal_prompts.h"
#include "core/base/json_text.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/config/resolve.h"
#include "remote/launch/between_machines.h"
#include "remote/launch/host_facts.h"
#include "remote/launch/preflight.h"
#include "remote/launch/run_needs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <unistd.h>

namespace roadtune::cli {

namespace {

using nlohmann::json;

struct FleetOptions {
  HostList hosts;
  std::string folder, config, progress;
  bool json = false, gpu = false, noLinks = false;
};

json toJson(const remote::Check& check) {
  json told{{"name", check.name},
            {"verdict", remote::verdictName(check.verdict)},
            {"value", check.value},
            {"fix", check.fix}};
  if (!check.notes.empty()) told["notes"] = check.notes;
  if (!check.backend.empty()) told["backend"] = check.backend;
  return told;
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
  fmt::print("{}\n", jsonText(root));
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
    for (const auto& note : check.notes) fmt::print("    {:<12} {}\n", "", note);
    if (!check.fix.empty()) fmt::print("    {:<12} → {}\n", "", check.fix);
  }
}

Result<int> check(const FleetOptions& options) {
  ROADTUNE_TRY(auto hosts, readHosts(options.hosts, "roadtune fleet check"));
  remote::RunNeeds needs;
  std::vector<remote::Check> reads;
  if (!options.config.empty()) {
    ROADTUNE_TRY(const config::RunConfig config, config::loadRunConfig(options.config));
    ROADTUNE_TRY(hosts, readHosts(options.hosts, "roadtune fleet check", config));
    needs = remote::needsOf(config);
    if (!hosts.empty()) {
      ROADTUNE_TRY(needs.inputs, remote::runInputs(config));
    }
    reads = remote::checkReads(config, !hosts.empty(), readStorage);
  }
  needs.limits.needGpu = options.gpu;
  const remote::PreflightLimits& limits = needs.limits;
  ROADTUNE_TRY(const ProgressStyle style, parseProgressStyle(options.progress));
  std::vector<remote::HostReport> reports;
  std::vector<remote::Check> together;
  if (hosts.empty()) {
    reports.push_back(remote::checkHere(options.folder.empty() ? needs.folder : options.folder, limits).report);
    reports.front().checks.insert(reports.front().checks.end(), reads.begin(), reads.end());
  } else {
    Interrupt::install();  // before anything is asked at the terminal, which would stay without echo
    ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts(options.hosts.trusted)));
    ROADTUNE_CHECK(access.requireDistinct(hosts));
    std::vector<std::pair<std::string, json>> facts;
    for (auto& host : remote::checkHosts(hosts, access, options.folder, limits)) {
      if (!host.facts.is_null()) facts.emplace_back(host.report.host, std::move(host.facts));
      reports.push_back(std::move(host.report));
    }
    together = remote::judgeAgreement(facts);
    together.insert(together.end(), reads.begin(), reads.end());
    if (Interrupt::requested()) return cancelled();
    const auto progress = makeProgressSink(style, [] { return Interrupt::requested(); });
    ROADTUNE_TRY(const auto more, remote::checkBetween({.hosts = remote::reachedHosts(reports),
                                                        .paths = needs.paths,
                                                        .links = !options.noLinks,
                                                        .inputs = needs.inputs},
                                                       access, progress.get()));
    together.insert(together.end(), more.begin(), more.end());
  }
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
      addHostOptions(app, options->hosts);
      app.add_option("--folder", options->folder,
                     "where runs would be written (default: what output_dir says, or this folder; elsewhere "
                     "~/.roadtune/runs)");
      app.add_option("--config", options->config, "RUN.yaml whose model and data must be there, and be the same");
      app.add_flag("--no-links", options->noLinks, "do not measure the network between the machines");
      app.add_flag("--gpu", options->gpu, "a machine without a card is not good enough");
      app.add_flag("--json", options->json, "print the matrix as JSON");
      app.add_option("--progress", options->progress, "json, bar or none");
      return [options] { return check(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
