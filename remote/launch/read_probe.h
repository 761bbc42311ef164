// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/run_config.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace roadtune::remote {

// How fast one source of a run is read, as the loader reads it: whole samples at random. For object storage pieces of
// objects, as a fetch reads them.
struct ReadProbe {
  std::string source;   // as the configuration names it
  std::string storage;  // "ext4", "nfs", "s3"
  std::size_t reads = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;          // of all reads, one after the other
  double median = 0, p95 = 0;  // seconds of one read
  std::string problem = {};    // why nothing could be read; the rest is then empty

  double bytesPerSecond() const { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }
  std::string text() const;  // "ext4: 2 ms (95 % under 5 ms), 118 MB/s"
};

using PieceReader = std::function<Result<std::uint64_t>(std::size_t)>;  // the bytes of the i-th read
using OpenStorage = std::function<Result<PieceReader>(const std::string& address)>;

// Every source of the run, each for about half a second. What the system keeps of the files in memory is dropped first
// where that is possible. `run` is the run's folder, where its start left prepared data; empty for a configuration.
// What lies in object storage is read through `open`, and left out without it.
std::vector<ReadProbe> probeReads(const config::RunConfig& config, const std::filesystem::path& run,
                                  const OpenStorage& open = {});

}  // namespace roadtune::remote
