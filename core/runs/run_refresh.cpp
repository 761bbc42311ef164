// SPDX-License-Identifier: GPL-3.0-or-later
// Which files a run store reads, and how far.
#include "core/runs/run_store_impl.h"

#include <algorithm>
#include <utility>

namespace roadtune::runs {

using protocol::EventReader;
using protocol::FlatEvent;

namespace {

constexpr std::size_t kSmallestShare = 64 * 1024;
constexpr int kAgentLog = -1;

}  // namespace

// Looks for files that were not there the last time.
bool RunStore::Impl::findFiles() {
  const std::size_t before = ranks.size() + nodes.size() + mirror.size() + logs.size() + tensorboard.size();
  for (const int rank : layout.ranksWithEvents()) ranks.try_emplace(rank, layout.rankEvents(rank));
  for (const int node : layout.nodesWithEvents()) nodes.try_emplace(node, layout.nodeEvents(node));
  for (const int rank : layout.ranksWithLogs()) logs.try_emplace(rank, layout.rankLog(rank));
  std::error_code code;
  if (fs::exists(layout.mirrorEvents(), code)) mirror.try_emplace(0, layout.mirrorEvents());
  if (fs::exists(layout.agentLog(0), code)) logs.try_emplace(kAgentLog, layout.agentLog(0));
  foreign = ranks.empty() && nodes.empty() && !layout.isRun();
  if (foreign)
    for (const fs::path& file : tensorboardFiles(layout.root())) tensorboard.try_emplace(file, file);
  return ranks.size() + nodes.size() + mirror.size() + logs.size() + tensorboard.size() != before;
}

// A file was replaced: nothing that was learned from it can be told from the rest, so everything is read again.
void RunStore::Impl::startOver() {
  facts = {};
  ranks.clear();
  nodes.clear();
  mirror.clear();
  tensorboard.clear();
  findFiles();
}

bool RunStore::Impl::collectNotices(int rank, EventReader& reader) {
  const auto notices = reader.takeNotices();
  for (const auto& one : notices)
    facts.notices.push_back({Severity::Warning,
                             facts.lastEvent,
                             facts.step,
                             rank,
                             one.text,
                             reader.path().filename().string() + ", byte " + std::to_string(one.offset),
                             {}});
  return !notices.empty();
}

Result<bool> RunStore::Impl::readEvents(std::size_t maxBytes) {
  bool news = false;
  std::uint64_t restarts = 0;
  const std::size_t share = std::max(kSmallestShare, maxBytes / std::max<std::size_t>(1, ranks.size() + nodes.size()));
  const auto readFrom = [&](std::map<int, EventReader>& readers, auto fold) -> Status {
    for (auto& [number, reader] : readers) {
      const std::uint64_t before = reader.counts().events;
      const Status status =
          reader.pollFlat([&, number = number](const FlatEvent& event) { fold(number, event); }, share);
      news |= reader.counts().events != before;
      news |= collectNotices(number, reader);
      caughtUp &= reader.atEnd();
      restarts += reader.restarts();
      if (!status.ok()) return status;
    }
    return {};
  };
  ROADTUNE_CHECK(readFrom(ranks, [&](int rank, const FlatEvent& event) { facts.foldRank(rank, event); }));
  ROADTUNE_CHECK(readFrom(nodes, [&](int node, const FlatEvent& event) { facts.foldNode(node, event); }));
  ROADTUNE_CHECK(readFrom(mirror, [&](int, const FlatEvent& event) { facts.foldMirror(event); }));
  if (restarts == 0) return news;
  startOver();
  caughtUp = true;
  return readEvents(SIZE_MAX);
}

Result<bool> RunStore::Impl::readTensorboard(std::size_t maxBytes) {
  std::size_t records = 0;
  std::map<std::string, std::vector<Point>> points;
  const auto keep = [&] {
    for (auto& [tag, some] : points) facts.seriesNamed(tag, Axis::Step).merge(std::move(some));
    points.clear();
  };
  const auto take = [&](const TensorboardScalar& scalar) {
    if (scalar.restart) {
      keep();
      for (auto& [tag, series] : facts.series) series.supersedeFrom(scalar.step);
      return;
    }
    points[scalar.tag].push_back({scalar.step, scalar.wallTime, scalar.value});
    facts.touch(scalar.wallTime);
    facts.step = std::max(facts.step, scalar.step);
  };
  for (auto& [path, reader] : tensorboard) {
    const bool wasDamaged = reader.damaged().has_value();
    const auto read = reader.poll(take, maxBytes);
    keep();
    if (!read.ok()) return read.error();
    records += read.value();
    caughtUp &= reader.atEnd();
    if (reader.damaged() && !wasDamaged)
      facts.notices.push_back({Severity::Warning,
                               facts.lastEvent,
                               facts.step,
                               0,
                               "the file is damaged; what follows in it cannot be read",
                               path.filename().string() + ", byte " + std::to_string(*reader.damaged()),
                               {}});
  }
  return records > 0;
}

bool RunStore::Impl::readLogs() {
  bool news = false;
  for (auto& [rank, log] : logs) news |= log.poll();
  return news;
}

bool RunStore::Impl::readManifest() {
  std::error_code code;
  const auto time = fs::last_write_time(layout.manifest(), code);
  if (code || time == manifestTime) return false;
  manifestTime = time;
  const auto read = protocol::readManifest(layout.manifest());
  if (read.ok()) {
    manifest = read.value();
  } else {
    facts.notices.push_back({Severity::Warning, 0, 0, 0, read.error().what, "manifest.json", read.error().hint});
  }
  return true;
}

void RunStore::Impl::markCheckpointsOnDisk() {
  const auto folders = layout.checkpoints();
  for (CheckpointInfo& info : facts.checkpoints) info.onDisk = info.complete = false;
  for (const auto& folder : folders) {
    auto found = std::find_if(facts.checkpoints.begin(), facts.checkpoints.end(),
                              [&](const CheckpointInfo& info) { return info.step == folder.step; });
    if (found == facts.checkpoints.end()) {
      CheckpointInfo info;
      info.step = folder.step;
      info.path = folder.path.filename().string();
      found = facts.checkpoints.insert(found, info);
    }
    found->onDisk = true;
    found->complete = folder.complete;
  }
  std::sort(facts.checkpoints.begin(), facts.checkpoints.end(),
            [](const CheckpointInfo& a, const CheckpointInfo& b) { return a.step < b.step; });
  for (CheckpointInfo& info : facts.checkpoints) placeCheckpoint(info);
}

// One that is not here lies where rank 0 was when it was written, unless it was removed.
void RunStore::Impl::placeCheckpoint(CheckpointInfo& info) const {
  info.machine.clear();
  info.place = (fs::absolute(layout.root()) / info.path).lexically_normal().string();
  info.removed = !info.onDisk && info.toldRemoved;
  if (info.onDisk || info.removed) return;
  const auto liesAt = [&info](const std::string& address, const std::string& folder) {
    info.machine = address;
    info.place = address + ":" + folder + "/" + info.path;
  };
  if (manifest) {
    for (const auto& earlier : manifest->earlier)
      if (info.step <= earlier.step) return liesAt(earlier.address, earlier.folder);
    for (const auto& node : manifest->nodes)
      if (node.node == 0 && !node.address.empty()) return liesAt(node.address, node.folder);
  }
  info.removed = true;
}

Result<bool> RunStore::Impl::refresh(std::size_t maxBytes) {
  caughtUp = true;
  bool news = findFiles();
  news |= readManifest();
  ROADTUNE_TRY(const bool events, foreign ? readTensorboard(maxBytes) : readEvents(maxBytes));
  news |= events;
  news |= readLogs();
  if (!news) return false;
  if (!foreign) markCheckpointsOnDisk();
  end = toldEnd(facts, manifest ? &*manifest : nullptr);
  ++revision;
  return true;
}

}  // namespace roadtune::runs
