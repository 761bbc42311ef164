// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "core/data/index/segment_info.h"

#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace roadtune::data {

// Size, time of change and a content sample of a file as it is now. `indexFolder` gives the second, relative path.
Result<SourceFile> describeSource(const std::filesystem::path& file, const std::filesystem::path& indexFolder);

// Is this still the file that was imported? Looks at the content sample only when the time of change differs.
// An error names the file and says what is different.
Result<std::filesystem::path> locateSource(const SourceFile& source, const std::filesystem::path& indexFolder);

// Reads pieces of many files with few of them open at a time. Safe from any thread.
class SourceFileReader {
 public:
  explicit SourceFileReader(std::filesystem::path indexFolder) : m_folder(std::move(indexFolder)) {}

  // `length` 0 reads the whole file.
  Result<std::string> read(const SourceFile& source, std::uint64_t offset, std::uint32_t length);
  Result<std::string> read(const std::filesystem::path& file, std::uint64_t offset, std::uint32_t length);

 private:
  using Handle = std::shared_ptr<UniqueFd>;
  Handle cached(const std::string& key);
  Handle keep(const std::string& key, UniqueFd fd);

  std::filesystem::path m_folder;
  std::mutex m_mutex;
  std::list<std::pair<std::string, Handle>> m_recent;  // most recent first
  std::map<std::string, std::list<std::pair<std::string, Handle>>::iterator> m_byKey;
};

}  // namespace roadtune::data
