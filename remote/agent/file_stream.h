// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace roadtune::remote {

// How the files of a run travel to another machine: frames of one JSON line
//   {"file":"events/rank-000.jsonl","offset":1234,"size":56}
// followed by `size` bytes. Files only grow; the receiver says how much of each it has, so nothing is sent twice and
// nothing is left out. A frame of size 0 with file "" is a heartbeat; it bears "lost" where the agent is gone without a
// goodbye and none can be written in its place.
using FileOffsets = std::map<std::string, std::uint64_t>;  // by path inside the run's folder

struct FileFrame {
  std::string file;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::string lost = {};  // what came of the agent
};

std::string frameHeader(const FileFrame& frame);  // with the newline
Result<FileFrame> parseFrameHeader(const std::string& line);

// Offsets as one line of JSON, and back.
std::string offsetsToJson(const FileOffsets& offsets);
Result<FileOffsets> offsetsFromJson(const std::string& line);

// The files of a run that are only appended to, which readers elsewhere want: events, logs, ledger, provenance and
// TensorBoard's; never checkpoints.
FileOffsets streamableFiles(const std::filesystem::path& run);

// Sends what the receiver lacks to `out`, then everything that is appended, looking every 100 ms. Returns when `in`
// is closed by the other side or `out` breaks. Writes the goodbye of an agent that is gone without one.
int streamFiles(const std::filesystem::path& run, FileOffsets have, int in, int out);

}  // namespace roadtune::remote
