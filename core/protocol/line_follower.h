// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace roadtune::protocol {

// Where a reader of a growing file stands; enough to go on in another process.
struct FilePosition {
  std::uint64_t offset = 0;  // of the first byte that was not part of a complete line
  std::uint64_t inode = 0;   // 0: not seen yet
  std::string head = {};     // the file's first bytes (up to 64 of those read), to notice a replaced file
};

// Reads the complete lines that a growing file gained since the last time. A missing file is "not yet". A file that
// shrank or was replaced is read from its start again, and restarts() grows. Used by one thread at a time.
class LineFollower {
 public:
  // Called with each complete line (without newline) and its byte offset. Return false to stop after this line.
  using Visitor = std::function<bool(std::string_view line, std::uint64_t offset)>;

  explicit LineFollower(fs::path path, FilePosition position = {});

  // Reads at most about `maxBytes` more. Returns how many lines were visited.
  Result<std::size_t> poll(const Visitor& visit, std::size_t maxBytes = SIZE_MAX);

  const FilePosition& position() const { return m_position; }
  void restore(FilePosition position);
  bool atEnd() const { return m_atEnd; }  // the last poll reached the end of the file
  std::uint64_t restarts() const { return m_restarts; }
  std::uint64_t pendingBytes() const { return m_pending; }  // of a last line without newline
  const fs::path& path() const { return m_path; }

 private:
  Status checkSameFile(int fd, std::uint64_t inode, std::uint64_t size);
  std::size_t visitLines(std::string_view bytes, const Visitor& visit, bool& stopped);

  fs::path m_path;
  FilePosition m_position;
  bool m_atEnd = false;
  std::uint64_t m_restarts = 0;
  std::uint64_t m_pending = 0;
};

}  // namespace roadtune::protocol
