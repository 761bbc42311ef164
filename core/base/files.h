// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace roadtune {

namespace fs = std::filesystem;

Result<std::string> readFile(const fs::path& path);

// Where a file of that name is written aside and renamed: links stay, and what they lead to is replaced. An error where
// that would take the place of a folder, a device or a pipe, or where its folder is missing.
Result<fs::path> replaceableFile(const fs::path& named);

// Readers see the old content or the new one, never a part: written aside, synced, renamed, folder synced. A new file
// is as `mode` says; one that is replaced keeps who may read it, or is `kForMe` from now on.
constexpr unsigned kForAll = 0644, kForMe = 0600;
Status writeFileAtomically(const fs::path& named, std::string_view content, unsigned mode = kForAll);

// A name that stays below the folder it is put under: no "..", no empty parts.
bool staysBelow(std::string_view name);

// Is there next to no room where the folder lies? An unknown disk has some.
bool isDiskFull(const fs::path& folder);

// All of it, however little the system takes at once. `where` is named when that fails.
Status writeAll(int fd, std::string_view bytes, const std::string& where);

Status makeFolders(const fs::path& folder);
Status syncFolder(const fs::path& folder);

// A fresh folder below `parent` (the system's temporary folder when empty).
Result<fs::path> makeTemporaryFolder(std::string_view prefix, const fs::path& parent = {});

// Appends whole records; every append reaches the kernel before it returns. One writer per file.
class AppendFile {
 public:
  static Result<AppendFile> open(const fs::path& path);
  Status append(std::string_view bytes);
  Status sync();
  std::uint64_t size() const { return m_size; }
  const fs::path& path() const { return m_path; }

 private:
  AppendFile(fs::path path, UniqueFd fd, std::uint64_t size)
      : m_path(std::move(path)), m_fd(std::move(fd)), m_size(size) {}
  fs::path m_path;
  UniqueFd m_fd;
  std::uint64_t m_size = 0;
};

}  // namespace roadtune
