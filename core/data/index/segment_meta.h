// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/segment_info.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// The small JSON that a segment's column file carries.
struct SegmentMeta {
  SegmentInfo info;
  std::string unit;  // which import unit made it: "format:name"
  std::vector<std::string> classes;
  double origin = 0, quantum = 1.0 / 32;
};

std::string formatSegmentMeta(const SegmentMeta& meta);
Result<SegmentMeta> parseSegmentMeta(std::string_view json, const std::filesystem::path& file);

// A path as such JSON holds it, and back again. One that is no UTF-8 keeps its bytes: U+FFFD, then all of it with every
// byte that is no plain letter as %XX.
std::string writtenPath(const std::filesystem::path& path);
std::filesystem::path pathFrom(const std::string& written);

// The same for one source file, as the catalogue stores it too (text of a JSON object).
std::string formatSourceFile(const SourceFile& source);
Result<SourceFile> parseSourceFile(std::string_view json, const std::filesystem::path& file);

}  // namespace roadtune::data
