// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/unit_titles.h"

#include "core/data/index/split_names.h"

#include <algorithm>
#include <filesystem>

namespace roadtune::data {

namespace {

// The same file by another path, or a copy of it. Copies in folders of different splits are what somebody made of one
// file for several sets of pictures.
bool isSameSource(const std::vector<SourceFile>& a, const std::vector<SourceFile>& b) {
  if (a.empty() || b.empty()) return false;
  const auto &first = a.front().path, &second = b.front().path;
  std::error_code code;
  if (std::filesystem::equivalent(first, second, code)) return sameContent(a, b);
  return sameContent(a, b) && splitOfAnnotationFile(first) == splitOfAnnotationFile(second) &&
         splitGuessOfAnnotationFile(first) == splitGuessOfAnnotationFile(second);
}

}  // namespace

bool sameContent(const std::vector<SourceFile>& a, const std::vector<SourceFile>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SourceFile& one, const SourceFile& other) {
    return one.size == other.size && one.fingerprint == other.fingerprint;
  });
}

bool UnitTitles::isFree(const std::string& title, const std::vector<SourceFile>& sources) const {
  const auto owner = m_owners.find(title);
  return owner == m_owners.end() || isSameSource(owner->second, sources);
}

std::string UnitTitles::give(const ImportUnit& unit, const std::vector<SourceFile>& sources) {
  std::string title = unit.title;
  std::filesystem::path folder = unit.base;
  if (title.starts_with(folder.filename().string())) folder = folder.parent_path();  // it is in the title already
  for (; !isFree(title, sources) && folder.has_filename(); folder = folder.parent_path())
    title = folder.filename().string() + "/" + title;
  const std::string longest = title;
  for (int number = 2; !isFree(title, sources); ++number) title = longest + "-" + std::to_string(number);
  m_owners.try_emplace(title, sources);
  return title;
}

}  // namespace roadtune::data
