// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "core/data/storage/storage.h"

#include <filesystem>
#include <map>
#include <string>

namespace roadtune::data {

// What is known of the objects that a cache holds of one source. Kept in CACHE/.fetched.
class FetchRecord {
 public:
  struct Entry {
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;
    std::string tag = {};
  };

  static FetchRecord read(const std::filesystem::path& cache, const Location& base);
  Status write() const;

  // Is `file` still the object as it is now? None: not without asking for its tag.
  enum class Match { Same, Perhaps, No };
  Match compare(const StoredObject& object, const std::filesystem::path& file) const;

  std::map<std::string, Entry> entries;  // by name below the base

 private:
  std::filesystem::path m_file;
  std::string m_url;
};

// One process at a time fetches a source into a cache.
Result<UniqueFd> lockSource(const std::filesystem::path& cache, const Location& base);

}  // namespace roadtune::data
