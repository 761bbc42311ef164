// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace roadtune::data {

// Puts a file in the place of what was there; gone again when it could not be written whole.
Status replaceFile(const fs::path& file, std::string_view content);

// The files that exports leave in a folder, listed in a hidden file there, so that the next export takes away what it
// does not write again: tools read such folders whole. Files of others are left alone, and so are those that lay there
// before an export wrote over them: they may be the only ones.
class WrittenFiles {
 public:
  // Nothing is written before the first file is. Files of `sources`, which are absolute, are nobody's to replace.
  static Result<std::unique_ptr<WrittenFiles>> open(const fs::path& folder, std::set<fs::path> sources);

  Status write(const fs::path& file, std::string_view content);

  // It lies there already, as it should be, and stays.
  void keep(const fs::path& file);

  // Removes what earlier exports left, in this folder and in those that this export wrote to.
  Status finish();

 private:
  WrittenFiles(const fs::path& folder, std::set<fs::path> sources) : m_folder(folder), m_sources(std::move(sources)) {}
  Status note(const fs::path& file);
  fs::path list() const { return m_folder / ".exported-files"; }
  bool isSource(const fs::path& path) const;
  bool mayRemove(const fs::path& file) const;

  fs::path m_folder;  // absolute
  std::set<fs::path> m_sources;
  std::set<std::string> m_before;  // as seen from there
  std::set<std::string> m_mine;
  std::set<fs::path> m_places;  // folders of mine
  std::optional<AppendFile> m_list;
};

}  // namespace roadtune::data
