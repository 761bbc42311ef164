// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/preflight_work.h"

#include "app/studio/settings.h"
#include "core/base/subprocess.h"
#include "remote/launch/between_machines.h"
#include "remote/launch/host_facts.h"
#include "remote/launch/run_needs.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>

namespace roadtune::studio {
namespace {

using nlohmann::json;
using widgets::PreflightCheck;

PreflightCheck cellOf(const remote::Check& check) {
  PreflightCheck cell{.key = QString::fromStdString(check.name),
                      .found = QString::fromStdString(check.value),
                      .advice = QString::fromStdString(check.fix)};
  for (const std::string& note : check.notes) cell.notes << QString::fromStdString(note);
  switch (check.verdict) {
    case remote::Verdict::Fine: cell.verdict = PreflightCheck::Verdict::Good; break;
    case remote::Verdict::Doubtful: cell.verdict = PreflightCheck::Verdict::Warning; break;
    case remote::Verdict::Bad: cell.verdict = PreflightCheck::Verdict::Bad; break;
    case remote::Verdict::Unknown: cell.verdict = PreflightCheck::Verdict::Unknown; break;
  }
  return cell;
}

widgets::PreflightColumn columnOf(const QString& host, const std::vector<remote::Check>& checks) {
  widgets::PreflightColumn column{host, {}};
  for (const remote::Check& check : checks) column.checks.push_back(cellOf(check));
  return column;
}

std::uint64_t sizeIn(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? static_cast<std::uint64_t>(found->get<double>()) : 0;
}

MachineMeans meansOf(const json& facts) {
  MachineMeans means;
  if (!facts.is_object()) return means;
  means.known = true;
  means.memory = sizeIn(facts, "mem_total");
  for (const json& card : facts.value("gpus", json::array())) {
    const std::uint64_t memory = sizeIn(card, "mem_total");
    means.gpuMemory = means.gpus == 0 ? memory : std::min(means.gpuMemory, memory);
    means.gpuName = QString::fromStdString(card.value("name", std::string()));
    ++means.gpus;
  }
  return means;
}

// The agent is what every other machine gets, and what starts runs here.
remote::Check checkAgentHere() {
  const auto path = siblingProgram("roadtune-agent");
  if (!path.ok()) return {"agent", remote::Verdict::Bad, path.error().what, path.error().hint};
  const auto answer = runCommand({.command = {path.value().string(), "--version"}}, 20);
  if (!answer.ok()) return {"agent", remote::Verdict::Bad, answer.error().what, answer.error().hint};
  if (!answer.value().status.ok())
    return {"agent", remote::Verdict::Bad, "does not start", "run `roadtune-agent --version` in a terminal to see why"};
  return {"agent", remote::Verdict::Fine, answer.value().out.substr(0, answer.value().out.find('\n')), {}};
}

}  // namespace

PreflightResult checkMachines(const QStringList& hosts, const std::optional<config::RunConfig>& run,
                              const remote::Prompts& prompts, remote::DiskProbe probe) {
  PreflightResult result;
  const auto needs = run ? remote::needsOf(*run) : remote::RunNeeds{.folder = Settings::defaultFolder().toStdString()};
  const remote::PreflightLimits& limits = needs.limits;
  auto here = remote::checkHere(needs.folder, limits, probe);
  here.report.checks.push_back(checkAgentHere());
  if (run && hosts.isEmpty()) {
    const auto reads = remote::checkReads(*run, false);
    here.report.checks.insert(here.report.checks.end(), reads.begin(), reads.end());
  }
  result.matrix.machines.push_back(columnOf(widgets::kThisMachine, here.report.checks));
  result.means[QString()] = meansOf(here.facts);
  if (hosts.isEmpty()) return result;

  std::vector<std::string> names;
  for (const QString& host : hosts) names.push_back(host.toStdString());
  std::vector<std::pair<std::string, json>> facts;
  const auto access = remote::HostAccess::load(prompts);
  if (!access.ok()) {
    for (const QString& host : hosts) {
      result.matrix.machines.push_back(
          columnOf(host, {{"reach", remote::Verdict::Bad, access.error().what, access.error().hint}}));
    }
    return result;
  }
  for (auto& host : remote::checkHosts(names, access.value(), {}, limits)) {
    const QString name = QString::fromStdString(host.report.host);
    result.matrix.machines.push_back(columnOf(name, host.report.checks));
    result.means[name] = meansOf(host.facts);
    if (host.facts.is_null()) continue;
    result.reached << name;
    facts.emplace_back(host.report.host, std::move(host.facts));
  }
  for (const remote::Check& check : remote::judgeAgreement(facts)) result.matrix.together.push_back(cellOf(check));
  if (run)
    for (const remote::Check& check : remote::checkReads(*run, true)) result.matrix.together.push_back(cellOf(check));
  return result;
}

std::vector<PreflightCheck> checkBetween(const QStringList& hosts, const std::optional<config::RunConfig>& run,
                                         const remote::Prompts& prompts, ProgressSink* progress) {
  remote::BetweenRequest request{.hosts = {}};
  for (const QString& host : hosts) request.hosts.push_back(host.toStdString());
  std::vector<PreflightCheck> cells;
  if (run && !run->text("model_name_or_path").empty()) {
    request.paths = remote::needsOf(*run).paths;
    auto inputs = remote::runInputs(*run);
    if (inputs.ok())
      request.inputs = std::move(inputs).value();
    else
      cells.push_back(cellOf({"data", remote::Verdict::Bad, inputs.error().text(), inputs.error().hint}));
  }
  const auto access = remote::HostAccess::load(prompts);
  const auto checks = access.ok() ? remote::checkBetween(request, access.value(), progress)
                                  : Result<std::vector<remote::Check>>(access.error());
  if (checks.ok()) {
    for (const remote::Check& check : checks.value()) cells.push_back(cellOf(check));
    return cells;
  }
  if (checks.error().kind == ErrorKind::Cancelled) return {linksNotMeasured()};
  return {cellOf({"links", remote::Verdict::Bad, checks.error().what, checks.error().hint})};
}

PreflightCheck linksNotMeasured() {
  return {.key = QStringLiteral("links"),
          .found = QCoreApplication::translate("Check", "not measured yet; “Check again” does it"),
          .advice = {}};
}

}  // namespace roadtune::studio
