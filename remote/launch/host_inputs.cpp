// SPDX-License-Identifier: GPL-3.0-or-later
// The part of run_inputs.h that talks to machines.
#include "core/base/units.h"
#include "core/data/index/image_lookup.h"
#include "remote/launch/host_facts.h"
#include "remote/launch/in_parallel.h"
#include "remote/launch/run_inputs.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <optional>
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

// One machine after the other, as one sum.
class SumSink : public ProgressSink {
 public:
  SumSink(ProgressSink* sink, std::uint64_t total) : m_sink(sink), m_total(total) {}
  bool report(const Progress& progress) override {
    return !m_sink || m_sink->report({"copying", m_before + progress.done, m_total, "bytes", progress.detail});
  }
  void add(std::uint64_t bytes) { m_before += bytes; }

 private:
  ProgressSink* m_sink;
  std::uint64_t m_total, m_before = 0;
};

}  // namespace

Result<HostInputs> inputsThere(Session& session, const std::string& host, const std::vector<InputGroup>& groups) {
  ROADTUNE_TRY(const std::string agent, toolThere(session));
  ROADTUNE_TRY(const std::string text,
               session.output(shellCommand({agent, "--inventory"}),
                              {.input = questionAbout(groups).dump(-1, ' ', false, json::error_handler_t::replace),
                               .timeoutSeconds = kInventoryLimit}));
  const json answer = json::parse(text, nullptr, false);
  if (!answer.is_object() || answer.value("groups", json::array()).size() != groups.size())
    return failed("gives no understandable answer: " + text.substr(0, 80), host);
  return judgeInputs(host, groups, answer);
}

Result<std::vector<HostInputs>> inputsOn(const std::vector<std::string>& hosts, const std::vector<InputGroup>& groups,
                                         const HostAccess& access, ProgressSink* progress) {
  const HostAccess shared = access.shared();
  std::vector<std::optional<Result<HostInputs>>> answers(hosts.size());
  const auto ask = [&](std::size_t i) -> Result<HostInputs> {
    if (progress && !progress->report({"comparing", 0, 0, "machines", hosts[i]})) return cancelled();
    ROADTUNE_TRY(Session session, shared.connect(hosts[i]));
    return inputsThere(session, hosts[i], groups);
  };
  inParallel(hosts.size(), [&](std::size_t i) { answers[i] = ask(i); });
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
  std::uint64_t total = 0;
  for (const auto& one : hosts) {
    if (!one.nowhere.empty()) return requireInputs(hosts);
    if (!one.fits())
      return failed(
          fmt::format("the disk is too small for {}: {}", formatBytes(static_cast<double>(one.bytes)), one.text()),
          one.host, "free space there, or move the home folder to a larger disk");
    total += one.bytes;
  }
  SumSink sum(progress, total);
  for (const auto& one : hosts) {
    if (one.copies.empty()) continue;
    ROADTUNE_TRY(Session session, access.connect(one.host));
    ROADTUNE_TRY(const std::string agent, toolThere(session));
    // Asked once more: machines may share a file system, and then the one before has brought it for all.
    ROADTUNE_TRY(const HostInputs now, inputsThere(session, one.host, groups));
    ROADTUNE_CHECK(sendFiles(session, agent, now.copies, &sum));
    sum.add(one.bytes);
  }
  return {};
}

}  // namespace roadtune::remote
