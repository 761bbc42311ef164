// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/checkpoint_places.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/run_mirrors.h"
#include "remote/ssh/shell_quote.h"
#include "remote/transfer/checkpoint_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <unistd.h>
#include <utility>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

const protocol::ManifestNode* firstNodeElsewhere(const protocol::Manifest& manifest) {
  for (const auto& node : manifest.nodes)
    if (node.node == 0 && !node.address.empty()) return &node;
  return nullptr;
}

// Lines of "BYTES NAME".
std::map<std::string, std::uint64_t> sizesIn(const std::string& lines) {
  std::map<std::string, std::uint64_t> sizes;
  for (const auto& line : split(lines, '\n'))
    if (const auto blank = line.find(' '); blank != std::string::npos)
      sizes[line.substr(blank + 1)] = std::strtoull(line.c_str(), nullptr, 10);
  return sizes;
}

// "events/rank-000.jsonl" -> bytes, of one machine.
Result<std::map<std::string, std::uint64_t>> sizesThere(const protocol::ManifestNode& node, const HostAccess& access) {
  ROADTUNE_TRY(Session session, access.connect(node.address));
  ROADTUNE_TRY(const std::string lines,
               session.output(fmt::format(
                   "cd {} && find events logs ledger provenance runs -type f -printf '%s %p\\n' 2>/dev/null; true",
                   shellQuote(node.folder))));
  return sizesIn(lines);
}

}  // namespace

std::optional<std::int64_t> CheckpointPlaces::newest() const {
  std::optional<std::int64_t> best;
  for (const auto* list : {&here, &there})
    if (!list->empty() && (!best || list->back() > *best)) best = list->back();
  return best;
}

CheckpointPlaces findCheckpoints(const fs::path& run, const HostAccess& access) {
  CheckpointPlaces places;
  const protocol::RunLayout layout(run);
  for (const auto& one : layout.checkpoints())
    if (one.complete) places.here.push_back(one.step);
  const auto manifest = protocol::readManifest(layout.manifest());
  const auto* node = manifest.ok() ? firstNodeElsewhere(manifest.value()) : nullptr;
  if (!node) return places;
  places.host = node->address;
  places.folder = node->folder;
  const auto ask = [&]() -> Status {
    ROADTUNE_TRY(Session session, access.connect(node->address));
    ROADTUNE_TRY(places.there, checkpointsThere(session, node->folder));
    return {};
  };
  if (const Status asked = ask(); !asked.ok()) places.unreachable = asked.error().text();
  return places;
}

namespace {

// What is wrong with it; empty for nothing.
Result<std::string> damageThere(Session& session, const std::string& checkpoint) {
  const std::string folder = shellQuote(checkpoint);
  ROADTUNE_TRY(const std::string marker, session.output(fmt::format("cat {}/{}", folder, protocol::kCompleteMarker)));
  ROADTUNE_TRY(const std::string lines,
               session.output(fmt::format("cd {} && find . -type f -printf '%s %P\\n'", folder)));
  const auto files = protocol::readMarker(marker, checkpoint);
  return files.ok() ? protocol::damageBySize(files.value(), sizesIn(lines)) : files.error().what;
}

Result<std::string> moveAsideThere(Session& session, const std::string& checkpoint) {
  ROADTUNE_TRY(const std::string names, session.output("ls -d " + shellQuote(checkpoint) + "*"));
  const auto all = split(names, '\n');
  const std::string name = protocol::damagedName(
      checkpoint, [&all](const std::string& other) { return std::find(all.begin(), all.end(), other) != all.end(); });
  ROADTUNE_TRY([[maybe_unused]] const std::string done,
               session.output("mv " + shellQuote(checkpoint) + " " + shellQuote(name)));
  return name;
}

std::string toldOfDamage(std::int64_t step, const std::string& what, const std::string& kept) {
  return fmt::format("checkpoint-{} is damaged ({}): it is passed over, and kept as {}", step, what, kept);
}

// What is said of the newest one here; empty when it is whole.
Result<std::string> setAsideHere(const fs::path& run, std::int64_t step) {
  const fs::path checkpoint = protocol::RunLayout(run).checkpoint(step);
  const auto whole = protocol::verifyCheckpoint(checkpoint, protocol::Compare::Sizes);
  if (whole.ok()) return std::string();
  if (whole.error().kind != ErrorKind::BadInput) return whole.error();
  ROADTUNE_TRY(const std::string kept, protocol::setAsideDamaged(checkpoint));
  return toldOfDamage(step, whole.error().what, kept);
}

Result<std::string> setAsideThere(const CheckpointPlaces& places, std::int64_t step, const HostAccess& access) {
  const std::string checkpoint = fmt::format("{}/checkpoint-{}", places.folder, step);
  ROADTUNE_TRY(Session session, access.connect(places.host));
  ROADTUNE_TRY(const std::string damage, damageThere(session, checkpoint));
  if (damage.empty()) return std::string();
  ROADTUNE_TRY(const std::string kept, moveAsideThere(session, checkpoint));
  return toldOfDamage(step, damage, places.host + ":" + kept);
}

}  // namespace

Result<std::vector<std::string>> setAsideDamaged(const fs::path& run, CheckpointPlaces& places,
                                                 const HostAccess& access) {
  std::vector<std::string> told;
  bool whole = false;
  while (const auto newest = whole ? std::nullopt : places.newest()) {
    whole = true;
    for (auto* list : {&places.here, &places.there}) {
      if (list->empty() || list->back() != *newest) continue;
      ROADTUNE_TRY(std::string damage,
                   list == &places.here ? setAsideHere(run, *newest) : setAsideThere(places, *newest, access));
      if (damage.empty()) continue;
      told.push_back(std::move(damage));
      list->pop_back();
      whole = false;
    }
  }
  return told;
}

std::vector<LeftCheckpoints> leftCheckpoints(const fs::path& run, const HostAccess& access) {
  const protocol::RunLayout layout(run);
  const auto manifest = protocol::readManifest(layout.manifest());
  std::vector<LeftCheckpoints> all;
  const auto asked = [&all](const protocol::EarlierPlace& place) {
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& one) { return one.host == place.address && one.folder == place.folder; });
  };
  for (const auto& place : manifest.ok() ? manifest.value().earlier : std::vector<protocol::EarlierPlace>()) {
    if (asked(place)) continue;
    auto& left = all.emplace_back(LeftCheckpoints{place.address, place.folder, {}, {}});
    const auto ask = [&]() -> Status {
      ROADTUNE_TRY(Session session, access.connect(left.host));
      ROADTUNE_TRY(left.steps, checkpointsThere(session, left.folder));
      return {};
    };
    if (const Status status = ask(); !status.ok()) left.unreachable = status.error().text();
    std::error_code code;
    std::erase_if(left.steps,
                  [&](auto step) { return fs::exists(layout.checkpoint(step) / protocol::kCompleteMarker, code); });
  }
  return all;
}

void noteMove(const protocol::Manifest& before, std::int64_t step, protocol::Manifest& now) {
  const auto* left = firstNodeElsewhere(before);
  const auto* next = firstNodeElsewhere(now);
  if (!left || (next && next->address == left->address && next->folder == left->folder)) return;
  now.earlier.push_back({left->address, left->folder, step});
}

namespace {

Result<fs::path> bringLeft(const fs::path& run, std::int64_t step, const HostAccess& access, ProgressSink* progress) {
  std::string unasked;
  for (const auto& one : leftCheckpoints(run, access)) {
    if (!one.unreachable.empty()) unasked = one.unreachable;
    if (std::find(one.steps.begin(), one.steps.end(), step) == one.steps.end()) continue;
    ROADTUNE_TRY(Session session, access.connect(one.host));
    ROADTUNE_CHECK(fetchCheckpoint(session, one.folder, run, step, progress));
    return protocol::RunLayout(run).checkpoint(step);
  }
  if (!unasked.empty())
    return failed(
        fmt::format("checkpoint-{} may lie where the run was before, which cannot be asked: {}", step, unasked),
        run.string());
  return badInput(fmt::format("there is no complete checkpoint of step {}", step), run.string(),
                  "roadtune runs show lists them");
}

}  // namespace

Result<fs::path> bringCheckpoint(const fs::path& run, std::optional<std::int64_t> step, const HostAccess& access,
                                 ProgressSink* progress) {
  const protocol::RunLayout layout(run);
  std::error_code code;
  if (step && fs::exists(layout.checkpoint(*step) / protocol::kCompleteMarker, code)) return layout.checkpoint(*step);
  const CheckpointPlaces places = findCheckpoints(run, access);
  if (step && !places.unreachable.empty())  // it may lie where the run was before, too
    if (auto left = bringLeft(run, *step, access, progress); left.ok()) return left;
  if (!places.unreachable.empty() && (step || places.here.empty()))
    return failed("the checkpoint lies on another machine that cannot be asked: " + places.unreachable, places.host);
  const auto wanted = step ? step : places.newest();
  if (!wanted) return failed("there is no complete checkpoint", run.string(), "roadtune save, or a smaller save_steps");
  const auto has = [&](const std::vector<std::int64_t>& list) {
    return std::find(list.begin(), list.end(), *wanted) != list.end();
  };
  if (has(places.here)) return layout.checkpoint(*wanted);
  if (!has(places.there)) return bringLeft(run, *wanted, access, progress);
  ROADTUNE_TRY(Session session, access.connect(places.host));
  ROADTUNE_CHECK(fetchCheckpoint(session, places.folder, run, *wanted, progress));
  return layout.checkpoint(*wanted);
}

Status bringEvents(const fs::path& run, const HostAccess& access, double limitSeconds, Unreachable unreachable) {
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  if (!manifest.ok()) return {};
  std::map<std::string, std::uint64_t> wanted;
  for (const auto& node : manifest.value().nodes) {
    if (node.address.empty()) continue;
    const auto sizes = sizesThere(node, access);
    if (!sizes.ok() && unreachable == Unreachable::Refuse) return sizes.error();
    if (!sizes.ok()) continue;
    for (const auto& [name, size] : sizes.value()) wanted[name] = std::max(wanted[name], size);
  }
  const auto behind = [&](bool all) -> std::string {
    for (const auto& [name, size] : wanted) {
      if (!all && !startsWith(name, "events/") && !startsWith(name, "logs/")) continue;
      std::error_code code;
      const auto here = fs::file_size(run / name, code);
      if (size > 0 && (code || here < size)) return fmt::format("{} has {} of {} bytes", name, code ? 0 : here, size);
    }
    return {};
  };
  if (behind(true).empty()) return {};
  ROADTUNE_TRY(const RunMirrors mirrors, RunMirrors::open(run, access));
  const double deadline = monotonicSeconds() + limitSeconds;
  while (monotonicSeconds() < deadline) {
    if (behind(true).empty()) return {};
    ::usleep(50'000);
  }
  // An agent of an earlier version keeps to events and logs.
  if (behind(false).empty()) return {};
  return failed("the events over there do not arrive: " + behind(false) +
                    (mirrors.trouble().empty() ? "" : "; " + mirrors.trouble()),
                run.string(), "check the connection, or --assume-gone to go on with what is here");
}

}  // namespace roadtune::remote
