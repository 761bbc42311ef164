// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/host_facts.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/agent/machine_facts.h"
#include "remote/launch/in_parallel.h"
#include "remote/launch/same_machine.h"
#include "remote/ssh/clock_offset.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"
#include "remote/transfer/bundle.h"
#include "remote/transfer/remote_turn.h"

#include <fmt/format.h>

namespace roadtune::remote {

using nlohmann::json;

namespace {

constexpr double kFactsLimit = 30;  // seconds for one host

struct Answer {
  json facts;
  double clockOffset = 0;
  std::string program;  // our agent over there
};

Result<Answer> ask(Session& session, const std::string& folder) {
  ROADTUNE_TRY(const std::string program, toolThere(session));
  ROADTUNE_TRY(const ClockReading clock, readClockOf(session));
  const std::string place = folder.empty() ? (fs::path(program).parent_path().parent_path() / "runs").string() : folder;
  ROADTUNE_TRY(const std::string text,
               session.output(shellCommand({program, "--facts", place}), {.timeoutSeconds = kFactsLimit}));
  Answer answer{json::parse(text, nullptr, false), clock.offset, program};
  if (!answer.facts.is_object()) return failed("gives no understandable answer: " + text.substr(0, 100));
  return answer;
}

// What the first run will do, asked of the machine as the run will ask.
Result<std::string> howTorchComes(Session& session, const TorchThere& there) {
  ROADTUNE_TRY(const std::string home, session.output("echo \"$HOME/.roadtune\""));
  ROADTUNE_TRY(const std::string why, whyNotInstalled(session));
  if (why.empty())
    return std::string(
        "the first run installs it with pip, which takes minutes; or set ROADTUNE_TORCH there to its "
        "folder");
  ROADTUNE_TRY(const TorchParts parts, torchHere(there.cards));
  ROADTUNE_TRY(const TorchGap gap, torchGap(session, std::string(trim(home)), parts));
  const std::string size = formatBytes(static_cast<double>(gap.bytes));
  if (!gap.fits())
    return fmt::format("free {} in its home, where the first run copies it to from here: {} are free", size,
                       formatBytes(static_cast<double>(gap.free)));
  return fmt::format("the first run copies it from here ({}); or set ROADTUNE_TORCH there to its folder", size);
}

// The same version on every machine is what the trainer itself insists on.
Check judgeTorch(Session& session, const Result<TorchThere>& found) {
  if (!found.ok()) return {"torch", Verdict::Unknown, found.error().what, {}};
  const TorchThere& there = found.value();
  if (there.whole) return {"torch", Verdict::Fine, fmt::format("{}, {}", kTorchVersion, there.folder), {}};
  const auto how = howTorchComes(session, there);
  return {"torch", Verdict::Unknown,
          there.folder.empty() ? std::string(kTorchVersion) + " was not found"
                               : fmt::format("{}, {}, without its GPU half", kTorchVersion, there.folder),
          how.ok() ? how.value() : how.error().text()};
}

// What is there matters even where it cannot be asked: null then, with the reason.
json ncclOf(const Result<std::string>& answer) {
  json told = answer.ok() ? json::parse(answer.value(), nullptr, false) : json();
  if (told.is_object()) return told;
  return {{"version", nullptr}, {"error", answer.ok() ? "gives no understandable answer" : answer.error().what}};
}

// What ssh_config says of it cannot be followed.
CheckedHost refused(const std::string& host, const Error& error) {
  const std::string value = error.where.empty() ? error.what : error.where + ": " + error.what;
  return {{.host = host, .checks = {{"reach", Verdict::Bad, value, error.hint}}}, nullptr};
}

CheckedHost checkHost(const std::string& host, const HostAccess& access, const std::string& folder,
                      const PreflightLimits& limits) {
  const double began = monotonicSeconds();
  CheckedHost checked{{.host = host, .checks = {}}, nullptr};
  std::vector<std::string> notes;
  if (auto spec = access.config.resolve(host); spec.ok())
    notes = std::move(spec.value().notes);
  else
    return refused(host, spec.error());
  const auto fail = [&](const Error& error) {
    checked.report.checks.push_back({"reach", Verdict::Bad, error.what, error.hint, {}, notes});
    checked.report.seconds = monotonicSeconds() - began;
    return checked;
  };
  auto session = access.connect(host);
  if (!session.ok()) return fail(session.error());
  const double reached = monotonicSeconds() - began;
  auto answer = ask(session.value(), folder);
  if (!answer.ok()) return fail(answer.error());
  checked.facts = std::move(answer.value().facts);
  checked.facts["mark"] = machineMark(session.value());
  const auto torch = torchThere(session.value());
  if (torch.ok() && !torch.value().folder.empty())
    checked.facts["nccl"] = ncclOf(session.value().output(
        shellCommand({answer.value().program, "--nccl", torch.value().folder}), {.timeoutSeconds = kFactsLimit}));
  checked.report.checks = judgeMachine(checked.facts, limits, answer.value().clockOffset);
  checked.report.checks.push_back(judgeTorch(session.value(), torch));
  checked.report.checks.insert(
      checked.report.checks.begin(),
      {"reach", Verdict::Fine, fmt::format("connected in {:.0f} ms, host key known", reached * 1000), {}, {}, notes});
  checked.report.seconds = monotonicSeconds() - began;
  return checked;
}

// "__version__ = '2.11.0+cu130'", beside the folder of the library.
std::string torchVersion(const fs::path& library) {
  const std::string text = readFile(library.parent_path().parent_path() / "version.py").valueOr("");
  const std::string before = "__version__ = '";
  const auto at = text.find(before);
  return at == std::string::npos
             ? ""
             : text.substr(at + before.size(), text.find('\'', at + before.size()) - at - before.size());
}

// Is the trainer beside this program complete: torch found, of which version, nothing missing? `torch` becomes the
// library that it would load.
Check checkTrainer(std::string& torch) {
  const auto program = siblingProgram("roadtune-train");
  if (!program.ok()) return {"trainer", Verdict::Bad, program.error().what, program.error().hint};
  // The loader itself says what it would load; the trainer does not run.
  const auto listed =
      runCommand({.command = {program.value().string()}, .environment = {{"LD_TRACE_LOADED_OBJECTS", "1"}}}, 20);
  if (!listed.ok()) return {"trainer", Verdict::Bad, listed.error().text(), {}};
  std::vector<std::string> absent;
  for (const auto& line : split(listed.value().out, '\n')) {
    const auto arrow = line.find(" => ");
    if (arrow == std::string::npos) continue;
    const std::string name(trim(line.substr(0, arrow)));
    const std::string found = line.substr(arrow + 4, line.find(" (", arrow) - arrow - 4);
    if (found == "not found") absent.push_back(name);
    if (name == "libtorch_cpu.so" && found != "not found") torch = found;
  }
  if (!absent.empty())
    return {"trainer", Verdict::Bad, "libraries are missing: " + join(absent, ", "), "./dev setup brings them"};
  if (torch.empty()) return {"trainer", Verdict::Bad, "torch is not linked", "./dev build"};
  return {"trainer", Verdict::Fine, fmt::format("torch {} at {}", torchVersion(torch), torch), {}};
}

// By the agent, as on every other machine: a library that is broken ends it, and not us.
json ncclHere(const fs::path& torch) {
  const auto agent = siblingProgram("roadtune-agent");
  if (!agent.ok()) return ncclOf(agent.error());
  const auto answer = runCommand({.command = {agent.value().string(), "--nccl", torch.string()}}, kFactsLimit);
  return ncclOf(answer.ok() ? Result<std::string>(answer.value().out) : Result<std::string>(answer.error()));
}

}  // namespace

Result<std::string> toolThere(Session& session, ProgressSink* progress) {
  ROADTUNE_TRY(const fs::path agent, siblingProgram("roadtune-agent"));
  ROADTUNE_TRY(const CommandResult home, session.run("mkdir -p ~/.roadtune/tools && cd ~/.roadtune/tools && pwd"));
  if (home.exitCode != 0)
    return missing("its home cannot be written to: " + std::string(trim(home.err)), session.host().label(),
                   "make the home there writable, with room in it: our agent goes to ~/.roadtune");
  const std::string folder(trim(home.out)), program = folder + "/roadtune-agent-" + ROADTUNE_VERSION;
  ROADTUNE_TRY(const bool there, hasFile(session, agent, program));
  if (there) return program;
  // Machines that share a home are asked at once.
  ROADTUNE_TRY([[maybe_unused]] const RemoteProcess turn, waitForTurn(session, folder, progress));
  ROADTUNE_CHECK(uploadFile(session, agent, program, "755"));
  return program;
}

std::vector<CheckedHost> checkHosts(const std::vector<std::string>& hosts, const HostAccess& access,
                                    const std::string& folder, const PreflightLimits& limits) {
  const HostAccess shared = access.shared();
  std::vector<CheckedHost> results(hosts.size());
  inParallel(hosts.size(), [&](std::size_t i) { results[i] = checkHost(hosts[i], shared, folder, limits); });
  return results;
}

CheckedHost checkHere(const std::string& folder, const PreflightLimits& limits, DiskProbe probe) {
  const double began = monotonicSeconds();
  CheckedHost checked{{.host = {}, .checks = {}}, machineFacts(folder, probe)};
  checked.report.host = checked.facts.value("host", "localhost");
  std::string torch;
  Check trainer = checkTrainer(torch);
  if (!torch.empty()) checked.facts["nccl"] = ncclHere(fs::path(torch).parent_path());
  checked.report.checks = judgeMachine(checked.facts, limits);
  checked.report.checks.push_back(std::move(trainer));
  checked.report.seconds = monotonicSeconds() - began;
  return checked;
}

}  // namespace roadtune::remote
