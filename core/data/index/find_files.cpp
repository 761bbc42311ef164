// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/find_files.h"

#include "core/base/text.h"
#include "core/data/index/index.h"

#include <algorithm>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

constexpr int kDeepest = 24;  // links may lead in a circle

void collect(const fs::path& folder, int depth, const std::function<bool(const std::string&)>& wanted,
             std::vector<fs::path>& found) {
  if (depth > kDeepest || Index::looksLikeIndex(folder)) return;
  std::error_code code;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, code), end; !code && at != end;
       at.increment(code)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(".")) continue;
    std::error_code inner;
    if (at->is_directory(inner))
      collect(at->path(), depth + 1, wanted, found);
    else if (wanted(lower(name)) && at->is_regular_file(inner))
      found.push_back(at->path());
  }
}

}  // namespace

std::vector<fs::path> findFiles(const fs::path& path, const std::function<bool(const std::string&)>& wanted) {
  std::vector<fs::path> found;
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code).lexically_normal();
  if (fs::is_directory(absolute, code))
    collect(absolute, 0, wanted, found);
  else if (fs::is_regular_file(absolute, code) && wanted(lower(absolute.filename().string())))
    found.push_back(absolute);
  std::sort(found.begin(), found.end());
  return found;
}

bool isImageName(const std::string& name) {
  return endsWith(name, ".jpg") || endsWith(name, ".jpeg") || endsWith(name, ".png") || endsWith(name, ".webp");
}

}  // namespace roadtune::data
