// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/run_losses.h"

#include "core/base/text.h"

#include <cstdlib>
#include <set>

namespace roadtune::data {

namespace {

constexpr std::size_t kMostKept = 3;  // each may be as large as the index

void collect(const QueryNode& node, std::vector<NamedRun>& runs) {
  if (node.kind == QueryNode::Kind::Image && node.field == ImageField::Loss) runs.push_back({node.run, node.place});
  for (const auto& child : node.children) collect(*child, runs);
}

}  // namespace

std::vector<NamedRun> runsOf(const QueryPlan& plan) {
  std::vector<NamedRun> runs;
  if (plan.sort && !plan.sort->byTerm && plan.sort->field == ImageField::Loss)
    runs.push_back({plan.sort->run, plan.sort->place});
  collect(*plan.where, runs);
  return runs;
}

std::filesystem::path RunLosses::folderOf(const std::string& run) const {
  if (const auto named = m_runs.find(run); named != m_runs.end()) return named->second;
  const char* home = std::getenv("HOME");
  return home && startsWith(run, "~/") ? std::filesystem::path(home) / run.substr(2) : std::filesystem::path(run);
}

bool RunLosses::refuse(const NamedRun& run, const Error& why, QueryError& error) const {
  const auto folder = folderOf(run.name);
  if (protocol::RunLayout(folder).isRun()) {
    error = {run.place.column, run.place.length, "'" + run.name + "': " + why.what + "; " + why.hint};
    return false;
  }
  std::vector<std::string> names;
  for (const auto& [name, path] : m_runs) names.push_back(name);
  error = {run.place.column, run.place.length, "there is no run '" + run.name + "'; give its name, or its folder",
           nearestWord(run.name, names)};
  return false;
}

bool RunLosses::prepare(const Index& index, const QueryPlan& plan, QueryError& error, bool& changed) {
  const auto runs = runsOf(plan);
  std::set<std::string> asked;
  for (const NamedRun& run : runs) asked.insert(folderOf(run.name).string());
  for (const NamedRun& run : runs) {
    const auto folder = folderOf(run.name);
    const std::string stamp = ledgerStamp(folder);
    const auto known = m_known.find(folder.string());
    if (known != m_known.end() && known->second.stamp == stamp) continue;
    auto losses = readImageLosses(index, folder);
    if (!losses.ok()) return refuse(run, losses.error(), error);
    if (known == m_known.end() && m_known.size() >= kMostKept)
      std::erase_if(m_known, [&](const auto& one) { return !asked.contains(one.first); });
    m_known[folder.string()] = {stamp, std::move(losses).value()};
    changed = true;
  }
  return true;
}

std::shared_ptr<const ImageLosses> RunLosses::of(const std::string& run) const {
  const auto known = m_known.find(folderOf(run).string());
  return known == m_known.end() ? nullptr : known->second.losses;
}

}  // namespace roadtune::data
