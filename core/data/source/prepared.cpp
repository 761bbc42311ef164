// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/prepared.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/data/index/index.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::data {
namespace {

bool isImported(const fs::path& file) {
  const std::string name = lower(file.filename().string());
  return endsWith(name, ".parquet") || endsWith(name, ".json") || name.find(".tfrecord") != std::string::npos;
}

}  // namespace

bool needsImport(const fs::path& path) {
  std::error_code code;
  if (fs::is_regular_file(path, code)) return isImported(path);
  return fs::is_directory(path, code) && !Index::looksLikeIndex(path);
}

std::optional<fs::path> preparedIndex(const SourceSpec& spec) {
  if (spec.prepared.empty() || !needsImport(spec.path)) return std::nullopt;
  const fs::path path(spec.path);
  const std::string stem = path.has_stem() ? path.stem().string() : "data";
  return fs::path(spec.prepared) / fmt::format("{}-{:08x}", stem, hash64(spec.path + "\n" + spec.images) >> 32);
}

}  // namespace roadtune::data
