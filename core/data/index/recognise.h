// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/problem.h"
#include "core/data/index/recording_reader.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace roadtune::data {

// What of one format lies in the sources.
struct RecognisedFormat {
  std::string format;  // "waymo-v1", "coco" ...
  std::size_t recordings = 0, files = 0;
  std::uint64_t bytes = 0;                    // of the files that are imported
  std::map<std::string, std::size_t> splits;  // recordings per split; "" where nothing says which
  bool waymo = false;                         // Waymo's licence applies
};

struct Recognised {
  std::vector<RecognisedFormat> formats;  // in the order of the readers
  std::vector<Problem> problems;          // sources that are not there, or hold nothing known
  bool waymo() const;
};

// Looks at names and at the first bytes only, and writes nothing. Whether Waymo's licence applies is taken from the
// first recording of each format; the import itself asks for every one.
Recognised recognise(const std::vector<std::filesystem::path>& sources, const RecordingReaders& readers);

}  // namespace roadtune::data
