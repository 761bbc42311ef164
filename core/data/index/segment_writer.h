// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/problem.h"
#include "core/data/index/recording.h"
#include "core/data/index/segment_info.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::data {

// The folder that relative image names refer to, and the same seen from the index folder.
struct ImageBase {
  std::filesystem::path folder, nearby;
};

// Sorts a recording and writes it as a column file. `sources` are the unit's files in its order, as fingerprinted;
// `unit` names where it came from. Boxes that cannot be (not a number, no size, outside the picture) and images told
// twice are left out and named in `problems`. Answers what the segment holds.
Result<SegmentInfo> writeSegment(Recording recording, const std::vector<SourceFile>& sources, const std::string& unit,
                                 const ImageBase& base, const std::filesystem::path& file,
                                 std::vector<Problem>& problems);

}  // namespace roadtune::data
