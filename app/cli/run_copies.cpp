// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_copies.h"

#include "core/base/clock.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/manifest.h"

namespace roadtune::cli {

namespace {

constexpr const char* kAside = ".mirror";

std::string runIdOf(const protocol::RunLayout& run) {
  const auto manifest = protocol::readManifest(run.manifest());
  return manifest.ok() ? manifest.value().runId : std::string();
}

bool isThere(const fs::path& file) {
  std::error_code code;
  return fs::exists(file, code);
}

}  // namespace

RunCopies::RunCopies(protocol::RunLayout run, std::string target, protocol::EventWriter& events, ProgressSink& progress)
    : m_run(std::move(run)),
      m_target(std::move(target)),
      m_runId(runIdOf(m_run)),
      m_events(events),
      m_progress(progress) {
  std::error_code ignored;
  fs::remove_all(m_run.root() / kAside, ignored);  // links of a process that was killed
}

bool RunCopies::ownsRun() const { return runIdOf(m_run) == m_runId; }

// Another run's copies are never overwritten.
Status RunCopies::connect() {
  if (m_depot) return {};
  ROADTUNE_TRY(auto depot, Depot::open(m_target));
  ROADTUNE_TRY(const std::string text, depot->read("manifest.json"));
  if (!text.empty()) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto theirs = protocol::manifestFromJson(json.is_object() ? json : nlohmann::json::object(), m_target);
    if (!theirs.ok() || theirs.value().runId != m_runId)
      return badInput("holds the copies of another run", m_target, "another mirror_checkpoints_to or output_dir");
  }
  m_depot = std::move(depot);
  return {};
}

Status RunCopies::put(const fs::path& file, const std::string& name) { return m_depot->put(file, name, m_progress); }

Status RunCopies::copyFacts() {
  for (const fs::path& file : {m_run.config(), m_run.manifest(), m_run.allResults()})
    if (isThere(file)) ROADTUNE_CHECK(put(file, file.filename().string()));
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(m_run.events(), code))
    if (entry.is_regular_file(code) && entry.path() != m_run.mirrorEvents())
      ROADTUNE_CHECK(put(entry.path(), "events/" + entry.path().filename().string()));
  return {};
}

Status RunCopies::copyNew() {
  for (const auto& checkpoint : m_run.checkpoints()) {
    if (!checkpoint.complete) continue;
    const auto marker = readFile(checkpoint.path / protocol::kCompleteMarker);
    const auto known = m_copied.find(checkpoint.step);
    if (!marker.ok() || (known != m_copied.end() && known->second == marker.value())) continue;
    Status copied = connect();
    if (copied.ok()) copied = copy(checkpoint);
    if (!copied.ok()) return m_depot.reset(), copied;  // a connection that failed is made anew
  }
  return {};
}

Status RunCopies::copyEnd() {
  Status copied = connect();
  if (copied.ok()) copied = copyFacts();
  if (!copied.ok()) m_depot.reset();
  return copied;
}

// Links the checkpoint's files aside and copies those. One that the trainer removed before it was reached is left out.
Status RunCopies::copy(const protocol::CheckpointFolder& checkpoint) {
  if (m_at != checkpoint.step) m_sent.clear();
  m_at = checkpoint.step;
  const fs::path aside = m_run.root() / kAside / checkpoint.path.filename();
  std::error_code code;
  fs::remove_all(aside, code);
  fs::create_directories(aside, code);
  fs::copy(checkpoint.path, aside, fs::copy_options::recursive | fs::copy_options::create_hard_links, code);
  const bool linked = !code;
  if (!isThere(checkpoint.path / protocol::kCompleteMarker)) {
    fs::remove_all(m_run.root() / kAside, code);
    return {};
  }
  const Status copied = copyFiles(checkpoint, linked ? aside : checkpoint.path);
  fs::remove_all(m_run.root() / kAside, code);
  return copied;
}

Status RunCopies::copyFiles(const protocol::CheckpointFolder& checkpoint, const fs::path& aside) {
  const double began = monotonicSeconds();
  const std::string folder = checkpoint.path.filename().string() + "/", complete = protocol::kCompleteMarker;
  ROADTUNE_TRY(const std::string marker, readFile(aside / complete));
  ROADTUNE_TRY(const auto files, protocol::readMarker(marker, checkpoint.path.string()));
  ROADTUNE_TRY(const std::string there, m_depot->read(folder + complete));
  if (there != marker) {
    if (!there.empty()) ROADTUNE_CHECK(m_depot->remove(folder + complete));
    std::uint64_t bytes = 0;
    for (const auto& file : files) {
      bytes += file.bytes;
      if (m_sent.contains(file.name)) continue;
      ROADTUNE_CHECK(put(aside / file.name, folder + file.name));
      m_sent.insert(file.name);
    }
    ROADTUNE_CHECK(copyFacts());
    ROADTUNE_CHECK(put(aside / complete, folder + complete));
    m_events.write("mirrored", checkpoint.step,
                   {{"checkpoint", checkpoint.path.filename().string()},
                    {"target", m_target},
                    {"bytes", bytes},
                    {"seconds", monotonicSeconds() - began}});
  }
  m_copied[checkpoint.step] = marker;
  m_sent.clear();
  return {};
}

}  // namespace roadtune::cli
