// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include "core/base/text.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>

namespace roadtune {

namespace {

constexpr std::size_t kMostOfADevice = 64u << 20;  // /dev/zero never ends; a terminal does

}  // namespace

Status writeAll(int fd, std::string_view bytes, const std::string& where) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return systemError("cannot write", where);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::string> readFile(const fs::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) {
    Error error = systemError("cannot open", path.string());
    error.kind = ErrorKind::BadInput;
    return error;
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) == 0 && S_ISDIR(info.st_mode)) return badInput("is a folder, not a file", path.string());
  std::string content;
  if (info.st_size > 0) content.reserve(static_cast<std::size_t>(info.st_size));
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError("cannot read", path.string());
    if (count == 0) return content;
    content.append(buffer, static_cast<std::size_t>(count));
    if (S_ISCHR(info.st_mode) && content.size() > kMostOfADevice)
      return badInput("is a device that goes on without end, not a file", path.string());
  }
}

Result<fs::path> replaceableFile(const fs::path& named) {
  std::error_code code;
  const fs::file_status there = fs::status(named, code);
  if (fs::is_directory(there)) return badInput("is a folder; a file is written here", named.string());
  if (fs::exists(there) && !fs::is_regular_file(there))
    return badInput("is a device or a pipe; a file is written here", named.string(), "name a file, and read it then");
  fs::path path = named;
  constexpr int kLongestChain = 40;
  for (int i = 0; i < kLongestChain && fs::is_symlink(fs::symlink_status(path, code)); ++i) {
    const fs::path target = fs::read_symlink(path, code);
    if (code) return systemError(code.value(), "cannot follow", path.string());
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  if (path.has_parent_path() && !fs::exists(path.parent_path(), code))
    return badInput("there is no such folder", path.parent_path().string(), "make it, or name another");
  return path;
}

Status writeFileAtomically(const fs::path& named, std::string_view content, unsigned mode) {
  static std::atomic<unsigned> counter{0};
  ROADTUNE_TRY(const fs::path path, replaceableFile(named));
  fs::path aside = path;
  aside += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
  struct stat before {};
  const bool replaces = ::stat(path.c_str(), &before) == 0;
  UniqueFd fd(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? kForMe : mode));
  if (!fd.valid()) return systemError("cannot create", path.string());
  if (replaces) {
    const unsigned allowed = mode == kForMe ? kForMe : 0777u;
    [[maybe_unused]] const int kept = ::fchmod(fd.get(), before.st_mode & allowed);  // not every file system has modes
  }
  Status written = writeAll(fd.get(), content, path.string());
  if (written.ok() && ::fsync(fd.get()) != 0) written = systemError("cannot write", path.string());
  fd.reset();
  if (written.ok() && ::rename(aside.c_str(), path.c_str()) != 0)
    written = systemError("cannot replace", path.string());
  if (!written.ok()) {
    ::unlink(aside.c_str());
    return written;
  }
  return syncFolder(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

bool isDiskFull(const fs::path& folder) {
  constexpr std::uintmax_t kRoom = 64 * 1024;
  std::error_code unknown;
  const auto space = fs::space(folder, unknown);
  return !unknown && space.available < kRoom;
}

bool staysBelow(std::string_view name) {
  for (const std::string& part : split(name, '/'))
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string::npos) return false;
  return true;
}

namespace {

// The part of the path that is there, but no folder.
fs::path fileOnTheWay(const fs::path& folder) {
  std::error_code code;
  fs::path at = folder;
  while (at.has_relative_path() && !fs::exists(at, code)) at = at.parent_path();
  return at;
}

}  // namespace

Status makeFolders(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code == std::errc::not_a_directory)
    return badInput("is a file, not a folder", fileOnTheWay(folder).string(), "name another folder");
  if (code) return systemError(code.value(), "cannot create the folder", folder.string());
  return {};
}

Status syncFolder(const fs::path& folder) {
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return systemError("cannot open the folder", folder.string());
  if (::fsync(fd.get()) != 0 && errno != EINVAL) return systemError("cannot sync the folder", folder.string());
  return {};
}

Result<fs::path> makeTemporaryFolder(std::string_view prefix, const fs::path& parent) {
  std::error_code code;
  const fs::path base = parent.empty() ? fs::temp_directory_path(code) : parent;
  std::string name = (base / (std::string(prefix) + "XXXXXX")).string();
  if (!::mkdtemp(name.data())) return systemError("cannot create a temporary folder", base.string());
  return fs::path(name);
}

Result<AppendFile> AppendFile::open(const fs::path& path) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd.valid()) return systemError("cannot open for writing", path.string());
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return systemError("cannot inspect", path.string());
  return AppendFile(path, std::move(fd), static_cast<std::uint64_t>(info.st_size));
}

Status AppendFile::append(std::string_view bytes) {
  ROADTUNE_CHECK(writeAll(m_fd.get(), bytes, m_path.string()));
  m_size += bytes.size();
  return {};
}

Status AppendFile::sync() {
  if (::fdatasync(m_fd.get()) != 0) return systemError("cannot sync", m_path.string());
  return {};
}

}  // namespace roadtune
