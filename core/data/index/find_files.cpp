// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/find_files.h"

#include "core/base/text.h"
#include "core/base/unique_fd.h"
#include "core/data/index/index.h"
#include "core/protocol/run_layout.h"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

constexpr int kDeepest = 24;

// Goes through a folder and those below, but for hidden ones, indexes, runs, and links that lead back up.
class Walk {
 public:
  std::function<void(const fs::directory_entry&, const std::string& name)> file;
  std::function<void(const fs::path&, const std::error_code&)> unreadable;

  void through(const fs::path& folder) {
    if (m_above.size() > kDeepest || Index::looksLikeIndex(folder) || protocol::RunLayout(folder).isRun()) return;
    std::error_code code;
    const fs::path place = fs::canonical(folder, code);
    if (code || std::find(m_above.begin(), m_above.end(), place) != m_above.end()) return;
    m_above.push_back(place);
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
      const std::string name = at->path().filename().string();
      if (name.starts_with(".")) continue;
      std::error_code inner;
      if (at->is_directory(inner))
        through(at->path());
      else if (file)
        file(*at, name);
    }
    if (code && unreadable) unreadable(folder, code);
    m_above.pop_back();
  }

 private:
  std::vector<fs::path> m_above;  // the folder it is in, and those that led there
};

}  // namespace

std::vector<fs::path> findFiles(const fs::path& path, const std::function<bool(const std::string&)>& wanted) {
  std::vector<fs::path> found;
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code).lexically_normal();
  if (fs::is_directory(absolute, code)) {
    Walk walk;
    walk.file = [&](const fs::directory_entry& entry, const std::string& name) {
      std::error_code inner;
      if (wanted(lower(name)) && entry.is_regular_file(inner)) found.push_back(entry.path());
    };
    walk.through(absolute);
  } else if (fs::is_regular_file(absolute, code) && wanted(lower(absolute.filename().string()))) {
    found.push_back(absolute);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::pair<fs::path, std::string>> findUnreadable(const fs::path& folder) {
  std::vector<std::pair<fs::path, std::string>> found;
  std::error_code code;
  const fs::path absolute = fs::absolute(folder, code).lexically_normal();
  if (!fs::is_directory(absolute, code)) return found;
  Walk walk;
  walk.unreadable = [&](const fs::path& place, const std::error_code& why) {
    found.emplace_back(place, "cannot be listed: " + why.message());
  };
  walk.file = [&](const fs::directory_entry& entry, const std::string& name) {
    std::error_code inner;
    if (!entry.is_symlink(inner) || entry.exists(inner) || isImageName(lower(name))) return;
    found.emplace_back(entry.path(), "is a link that leads nowhere");
  };
  walk.through(absolute);
  std::sort(found.begin(), found.end());
  return found;
}

std::string firstBytes(const fs::path& file, std::size_t wanted) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return {};
  std::string bytes(wanted, '\0');
  const ssize_t count = ::pread(fd.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

bool isImageName(const std::string& name) {
  return endsWith(name, ".jpg") || endsWith(name, ".jpeg") || endsWith(name, ".png") || endsWith(name, ".webp");
}

}  // namespace roadtune::data
