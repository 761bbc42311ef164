// SPDX-License-Identifier: GPL-3.0-or-later
// The part of run_inputs.h that talks to machines.
#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/data/index/image_lookup.h"
#include "remote/launch/host_facts.h"
#include "remote/launch/in_parallel.h"
#include "remote/launch/joint_progress.h"
#include "remote/launch/run_inputs.h"
#include "remote/launch/same_machine.h"
#include "remote/launch/shared_places.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sys/stat.h>

namespace roadtune::remote {

using nlohmann::json;

namespace {

constexpr double kInventoryLimit = 900;  // seconds; a hundred thousand pictures on a slow disk

json questionAbout(const std::vector<InputGroup>& groups) {
  json question{{"below", std::string("~/") + data::kCopiedInputs}, {"groups", json::array()}};
  for (const auto& group : groups) {
    json files = json::array();
    for (const auto& file : group.files) {
      struct stat info {};
      const bool there = ::stat(file.file.c_str(), &info) == 0;
      files.push_back({file.target, file.bytes, there ? static_cast<std::int64_t>(info.st_mtim.tv_sec) : 0});
    }
    question["groups"].push_back({{"root", group.root}, {"files", std::move(files)}});
  }
  return question;
}

// The folders that the files of a machine go to, without those below others; so many tell enough.
std::vector<std::string> foldersOf(const HostInputs& inputs) {
  constexpr std::size_t kMost = 32;
  std::set<std::string> parents;
  for (const auto& file : inputs.copies) parents.insert(fs::path(file.target).parent_path().string() + "/");
  std::vector<std::string> folders;
  for (const auto& parent : parents)
    if (folders.size() < kMost && (folders.empty() || !startsWith(parent, folders.back()))) folders.push_back(parent);
  return folders;
}

Status copyTo(Session& session, const HostInputs& inputs, const std::vector<InputGroup>& groups, JointProgress& whole,
              std::size_t place) {
  ROADTUNE_TRY(const std::string agent, toolThere(session));
  // Asked once more: where machines share a file system, the one before has brought it for all.
  ROADTUNE_TRY(const HostInputs now, inputsThere(session, inputs.host, groups));
  ShareOfProgress share(whole, place, inputs.host, inputs.bytes - std::min(inputs.bytes, now.bytes));
  ROADTUNE_CHECK(sendFiles(session, agent, now.copies, &share));
  return whole.set(place, inputs.bytes, inputs.host) ? Status() : Status(cancelled());
}

// One word about all: who failed and why, and who has everything.
Status summary(const std::vector<const HostInputs*>& lacking, const std::vector<Status>& results) {
  std::vector<std::string> troubles, filled;
  const Error* first = nullptr;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].ok()) {
      filled.push_back(lacking[i]->host);
      continue;
    }
    if (results[i].error().kind == ErrorKind::Cancelled) return results[i];
    if (!first) first = &results[i].error();
    troubles.push_back(lacking[i]->host + ": " + results[i].error().text());
  }
  if (!first || results.size() == 1) return first ? Status(*first) : Status();
  Error all = *first;
  all.what =
      fmt::format("cannot copy to {} of {} machines:\n  {}", troubles.size(), results.size(), join(troubles, "\n  "));
  if (!filled.empty()) all.what += fmt::format("\n  {}: everything is there now", join(filled, ", "));
  all.where.clear();
  all.hint = "what has arrived stays: the same again copies the rest";
  return all;
}

}  // namespace

Result<HostInputs> inputsThere(Session& session, const std::string& host, const std::vector<InputGroup>& groups,
                               ProgressSink* progress) {
  ROADTUNE_TRY(const std::string agent, toolThere(session, progress));
  ROADTUNE_TRY(const std::string text,
               session.output(shellCommand({agent, "--inventory"}),
                              {.input = jsonLine(questionAbout(groups)), .timeoutSeconds = kInventoryLimit}));
  const json answer = json::parse(text, nullptr, false);
  if (!answer.is_object() || answer.value("groups", json::array()).size() != groups.size())
    return failed("gives no understandable answer: " + text.substr(0, 80), host);
  return judgeInputs(host, groups, answer);
}

Result<std::vector<HostInputs>> inputsOn(const std::vector<std::string>& hosts, const std::vector<InputGroup>& groups,
                                         const HostAccess& access, ProgressSink* progress) {
  const HostAccess shared = access.shared();
  std::vector<std::optional<Result<HostInputs>>> answers(hosts.size());
  std::vector<std::pair<std::string, std::string>> marks(hosts.size());
  const auto ask = [&](std::size_t i) -> Result<HostInputs> {
    if (progress && !progress->report({"comparing", 0, 0, "machines", hosts[i]})) return cancelled();
    ROADTUNE_TRY(Session session, shared.connect(hosts[i]));
    marks[i] = {hosts[i], hosts.size() > 1 ? machineMark(session) : ""};
    return inputsThere(session, hosts[i], groups, progress);
  };
  inParallel(hosts.size(), [&](std::size_t i) { answers[i] = ask(i); });
  if (const auto both = namedTwice(marks)) return sameMachine(both->first, both->second);
  std::vector<HostInputs> found;
  for (auto& answer : answers) {
    if (!answer->ok()) return answer->error();
    found.push_back(std::move(*answer).value());
  }
  return found;
}

Status requireInputs(const std::vector<HostInputs>& hosts) {
  std::string lacking;
  bool copyHelps = true;
  for (const auto& one : hosts) {
    if (one.complete()) continue;
    copyHelps &= one.nowhere.empty();
    lacking += fmt::format("{}{}: {}", lacking.empty() ? "" : "\n  ", one.host, one.text());
    if (!one.copies.empty()) lacking += fmt::format(" (the first: {})", one.copies.front().target);
  }
  if (lacking.empty()) return {};
  return badInput("model or data are missing on the machines:\n  " + lacking, {},
                  copyHelps ? "--sync copies it from here, or use a shared file system"
                            : "put it there under the same path, or here, and --sync copies it");
}

Status copyInputs(const std::vector<HostInputs>& hosts, const std::vector<InputGroup>& groups, const HostAccess& access,
                  ProgressSink* progress) {
  std::vector<const HostInputs*> lacking;
  for (const auto& one : hosts) {
    if (!one.nowhere.empty()) return requireInputs(hosts);
    if (!one.fits())
      return failed(
          fmt::format("the disk is too small for {}: {}", formatBytes(static_cast<double>(one.bytes)), one.text()),
          one.host, "free space there, or move the home folder to a larger disk");
    if (!one.copies.empty()) lacking.push_back(&one);
  }
  const HostAccess shared = access.shared();
  std::vector<std::optional<Result<Session>>> sessions(lacking.size());
  inParallel(lacking.size(), [&](std::size_t i) { sessions[i] = shared.connect(lacking[i]->host); });
  std::vector<Status> results(lacking.size());
  std::vector<WritePlace> places(lacking.size());
  std::vector<std::uint64_t> bytes;
  for (std::size_t i = 0; i < lacking.size(); ++i) {
    bytes.push_back(lacking[i]->bytes);
    if (sessions[i]->ok())
      places[i] = {&sessions[i]->value(), foldersOf(*lacking[i])};
    else
      results[i] = sessions[i]->error();
  }
  JointProgress whole(progress, bytes);
  const auto machines = groupsSharingPlaces(places);
  inParallel(machines.size(), [&](std::size_t group) {
    for (const std::size_t i : machines[group])
      if (results[i].ok()) results[i] = copyTo(sessions[i]->value(), *lacking[i], groups, whole, i);
  });
  return summary(lacking, results);
}

}  // namespace roadtune::remote
