// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/preflight_store.h"

#include "core/base/file_lock.h"
#include "core/base/json_text.h"
#include "core/base/this_user.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace roadtune::studio {
namespace {

using nlohmann::json;
using widgets::PreflightCheck;
using widgets::PreflightColumn;
using widgets::PreflightRecord;
using widgets::PreflightRecords;

constexpr int kFormat = 1;
constexpr const char* kVerdicts[] = {"good", "warning", "bad", "unknown"};

// This machine has no name in the file.
std::string nameOf(const QString& host) { return host == widgets::kThisMachine ? std::string() : host.toStdString(); }
QString hostOf(const std::string& name) { return name.empty() ? widgets::kThisMachine : QString::fromStdString(name); }

json checksJson(const std::vector<PreflightCheck>& checks) {
  json all = json::array();
  for (const PreflightCheck& one : checks) {
    json told{{"check", one.key.toStdString()},
              {"verdict", kVerdicts[static_cast<int>(one.verdict)]},
              {"found", one.found.toStdString()},
              {"advice", one.advice.toStdString()}};
    for (const QString& note : one.notes) told["notes"].push_back(note.toStdString());
    all.push_back(std::move(told));
  }
  return all;
}

std::vector<PreflightCheck> checksOf(const json& all) {
  std::vector<PreflightCheck> checks;
  for (const json& one : all) {
    PreflightCheck check{.key = QString::fromStdString(one.at("check")),
                         .found = QString::fromStdString(one.at("found")),
                         .advice = QString::fromStdString(one.at("advice"))};
    for (const std::string& note : one.value("notes", std::vector<std::string>()))
      check.notes << QString::fromStdString(note);
    for (int i = 0; i < 4; ++i)
      if (one.at("verdict") == kVerdicts[i]) check.verdict = static_cast<PreflightCheck::Verdict>(i);
    checks.push_back(std::move(check));
  }
  return checks;
}

json recordJson(const PreflightRecord& record) {
  json machines = json::array();
  for (const PreflightColumn& machine : record.matrix.machines)
    machines.push_back({{"host", nameOf(machine.host)}, {"checks", checksJson(machine.checks)}});
  return {{"when", record.when}, {"machines", machines}, {"together", checksJson(record.matrix.together)}};
}

PreflightRecord recordOf(const json& one) {
  PreflightRecord record{.when = one.at("when"), .matrix = {}};
  for (const json& machine : one.at("machines"))
    record.matrix.machines.push_back({hostOf(machine.at("host")), checksOf(machine.at("checks"))});
  record.matrix.together = checksOf(one.at("together"));
  return record;
}

}  // namespace

PreflightStore::PreflightStore(fs::path file) : m_file(std::move(file)) {}

fs::path PreflightStore::defaultFile() { return userDataFolder() / "roadtune" / "preflight.json"; }

Result<PreflightRecords> PreflightStore::load() const {
  std::error_code absent;
  if (!fs::exists(m_file, absent)) return PreflightRecords();
  ROADTUNE_TRY(const std::string text, readFile(m_file));
  try {
    const json all = json::parse(text);
    if (all.at("format").get<int>() > kFormat)
      return badInput("was written by a later version of this program", m_file.string(), "use that version");
    PreflightRecords records;
    for (const json& one : all.at("checks")) records.push_back(recordOf(one));
    return records;
  } catch (const json::exception& error) {
    return badInput(std::string("is no list of checks: ") + error.what(), m_file.string(),
                    "move the file away to start afresh");
  }
}

template <class Change>
Status PreflightStore::change(const Change& change) const {
  ROADTUNE_CHECK(makeFolders(m_file.parent_path()));
  ROADTUNE_TRY(const UniqueFd lock, waitForLock(m_file.string() + ".lock"));
  ROADTUNE_TRY(PreflightRecords records, load());
  change(records);
  if (records.size() > kMost) records.erase(records.begin(), records.end() - kMost);
  json all = json::array();
  for (const PreflightRecord& one : records) all.push_back(recordJson(one));
  const json whole = {{"format", kFormat}, {"checks", std::move(all)}};
  return writeFileAtomically(m_file, jsonText(whole, 1) + "\n");
}

Status PreflightStore::add(const PreflightRecord& record) const {
  return change([&](PreflightRecords& records) { records.push_back(record); });
}

Status PreflightStore::remove(double when) const {
  return change([when](PreflightRecords& records) {
    std::erase_if(records, [when](const PreflightRecord& one) { return std::abs(one.when - when) < 1e-6; });
  });
}

Status PreflightStore::removeAll() const {
  return change([](PreflightRecords& records) { records.clear(); });
}

}  // namespace roadtune::studio
