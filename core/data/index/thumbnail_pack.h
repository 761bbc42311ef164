// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace roadtune::data {

// The small pictures of one segment in one size: a file that only grows. Safe from any thread; several processes may
// read while others append.
class ThumbnailPack {
 public:
  explicit ThumbnailPack(std::filesystem::path file) : m_path(std::move(file)) {}

  std::optional<std::string> find(std::uint32_t row);
  // Another process may append at the same time: the end is looked up under the file's lock.
  Status add(std::uint32_t row, const std::string& jpeg);

 private:
  void openForReading();
  Status openForWriting();
  void scan();

  std::filesystem::path m_path;
  std::mutex m_mutex;
  UniqueFd m_fd;
  bool m_writable = false;
  std::uint64_t m_scanned = 0;
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint32_t>> m_rows;  // row -> offset, length
};

}  // namespace roadtune::data
