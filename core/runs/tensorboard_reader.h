// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roadtune::runs {

struct TensorboardScalar {
  std::string tag;
  std::int64_t step = 0;
  double wallTime = 0;
  double value = 0;
  bool restart = false;  // no value: the program begins again, and points from this step on are void
};

// Decodes one serialized Event; scalars in either form (simple_value, or a rank-0 tensor). Other content is skipped,
// but for the start of a session, which voids what came before it from its step on. False when the bytes are no Event.
bool decodeTensorboardEvent(std::string_view bytes, const std::function<void(const TensorboardScalar&)>& visit);

// Follows one event file. An incomplete record at the end is "not yet"; a record with a wrong checksum ends the
// reading of the file for good, and damaged() says where. One thread at a time.
class TensorboardReader {
 public:
  explicit TensorboardReader(fs::path path) : m_path(std::move(path)) {}
  Result<std::size_t> poll(const std::function<void(const TensorboardScalar&)>& visit, std::size_t maxBytes = SIZE_MAX);
  std::uint64_t offset() const { return m_offset; }
  std::optional<std::uint64_t> damaged() const { return m_damaged; }
  bool atEnd() const { return m_atEnd; }
  const fs::path& path() const { return m_path; }

 private:
  fs::path m_path;
  std::uint64_t m_offset = 0;
  std::optional<std::uint64_t> m_damaged = {};
  bool m_atEnd = false;
};

// Names of event files directly in a folder, oldest first.
std::vector<fs::path> tensorboardFiles(const fs::path& folder);

}  // namespace roadtune::runs
