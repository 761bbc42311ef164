// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/read_probe.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/units.h"
#include "core/base/url.h"
#include "core/data/index/index.h"
#include "core/data/source/fetched.h"
#include "core/protocol/run_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <set>
#include <sys/vfs.h>
#include <utility>

namespace roadtune::remote {

namespace {

constexpr double kSeconds = 0.5;
constexpr std::size_t kMostReads = 64, kMostFiles = 512;

std::string fileSystemOf(const fs::path& path) {
  struct statfs info {};
  if (::statfs(path.c_str(), &info) != 0) return "disk";
  static constexpr std::pair<long, const char*> kNames[] = {
      {0xEF53, "ext4"},     {0x58465342, "xfs"}, {0x9123683E, "btrfs"}, {0x01021994, "memory"},  {0x6969, "nfs"},
      {0xFF534D42, "smb"},  {0xFE534D42, "smb"}, {0x65735546, "fuse"},  {0x794C7630, "overlay"}, {0x0BD00BD0, "lustre"},
      {0x47504653, "gpfs"}, {0x2FC12FC1, "zfs"}, {0x00C36400, "ceph"},  {0x19830326, "beegfs"},  {0x01021997, "9p"}};
  for (const auto& [magic, name] : kNames)
    if (static_cast<unsigned long>(info.f_type) == static_cast<unsigned long>(magic)) return name;
  return "disk";
}

void forget(const fs::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.valid()) ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
}

// Asks the system to drop what it keeps of the data in memory, so that the disk is measured.
void forgetFiles(const fs::path& path) {
  std::error_code code;
  std::set<fs::path> files;
  if (fs::is_regular_file(path, code)) files.insert(path);
  for (fs::recursive_directory_iterator at(path, code), end; !code && at != end && files.size() < kMostFiles;
       at.increment(code))
    if (at->is_regular_file(code)) files.insert(at->path());
  if (data::Index::looksLikeIndex(path)) {
    if (const auto index = data::Index::open(path); index.ok())
      for (std::size_t i = 0; i < index.value()->segmentCount() && files.size() < kMostFiles; ++i)
        for (const auto& source : index.value()->segment(i).info().sources) files.insert(source.path);
  }
  for (const fs::path& file : files) forget(file);
}

// Reads until the time is over; `read` answers how many bytes the i-th read brought.
void measure(ReadProbe& probe, const PieceReader& read) {
  std::vector<double> times;
  while (times.size() < kMostReads && (probe.seconds < kSeconds || times.size() < 3)) {
    const double began = monotonicSeconds();
    const auto bytes = read(times.size());
    if (!bytes.ok()) {
      probe.problem = bytes.error().text();
      return;
    }
    times.push_back(monotonicSeconds() - began);
    probe.seconds += times.back();
    probe.bytes += bytes.value();
  }
  probe.reads = times.size();
  std::sort(times.begin(), times.end());
  probe.median = times[times.size() / 2];
  probe.p95 = times[std::min(times.size() - 1, times.size() * 95 / 100)];
}

void probeStorage(ReadProbe& probe, const OpenStorage& open) {
  if (!open) {
    probe.problem = "not asked";
    return;
  }
  const auto reader = open(probe.source);
  if (reader.ok())
    measure(probe, reader.value());
  else
    probe.problem = reader.error().text();
}

void probeSource(ReadProbe& probe, const data::SourceSpec& spec) {
  forgetFiles(spec.path);
  const auto source = data::openSource(spec, {});
  if (!source.ok() || source.value()->size() == 0) {
    probe.problem = source.ok() ? "holds no sample" : source.error().text();
    return;
  }
  measure(probe, [&](std::size_t i) -> Result<std::uint64_t> {
    ROADTUNE_TRY(const data::Sample sample, source.value()->get(mix64(i) % source.value()->size()));
    return sample.image.size();
  });
}

ReadProbe probeOne(const config::DataSourceSpec& source, const fs::path& run, const OpenStorage& open) {
  ReadProbe probe{.source = source.path};
  data::SourceSpec spec{.path = source.path, .query = source.query, .images = source.images};
  if (!run.empty()) spec.prepared = protocol::RunLayout(run).preparedData().string();
  if (const auto here = data::withFetchedPaths(spec); here.ok()) {
    probe.storage = fileSystemOf(here.value().path);
    probeSource(probe, here.value());
  } else {
    probe.storage = source.path.substr(0, source.path.find(':'));
    probeStorage(probe, open);
  }
  return probe;
}

}  // namespace

std::string ReadProbe::text() const {
  if (!problem.empty()) return storage + ": " + problem;
  return fmt::format("{}: {} a {} (95 % under {}), {}/s", storage, formatDuration(median),
                     isUrl(source) && (storage == "s3" || storage == "gs") ? "read" : "sample", formatDuration(p95),
                     formatBytes(bytesPerSecond()));
}

std::vector<ReadProbe> probeReads(const config::RunConfig& config, const fs::path& run, const OpenStorage& open) {
  std::vector<ReadProbe> probes;
  std::set<std::string> seen;
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key))
      if (seen.insert(source.path).second) probes.push_back(probeOne(source, run, open));
  return probes;
}

}  // namespace roadtune::remote
