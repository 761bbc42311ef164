// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/source_files.h"

#include "core/base/files.h"
#include "core/base/hash.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace roadtune::data {

namespace {

constexpr std::size_t kOpenFiles = 128;
constexpr std::uint64_t kSample = 64 * 1024;

Status readAt(int fd, std::uint64_t offset, std::string& bytes, const fs::path& file) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError("cannot read", file.string());
    if (count == 0)
      return badInput("ends before offset " + std::to_string(offset + bytes.size()), file.string(),
                      "restore the file, or run `roadtune data index` again");
    done += static_cast<std::size_t>(count);
  }
  return {};
}

Result<UniqueFd> openForReading(const fs::path& file) {
  UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.valid()) return fd;
  Error error = systemError("cannot open", file.string());
  error.kind = ErrorKind::BadInput;
  return error;
}

// First, middle and last 64 kB: cheap on any size, and different for any file one meets in practice.
Result<std::uint64_t> contentSample(int fd, std::uint64_t size, const fs::path& file) {
  std::uint64_t hash = mix64(size);
  const std::uint64_t length = std::min(size, kSample);
  for (const std::uint64_t at : {std::uint64_t{0}, (size - length) / 2, size - length}) {
    std::string bytes(length, '\0');
    ROADTUNE_CHECK(readAt(fd, at, bytes, file));
    hash = hash64(bytes, hash);
  }
  return hash;
}

Error changed(const SourceFile& source) {
  return badInput("changed since it was imported", source.path.string(),
                  "run `roadtune data index` on it again with the same --out");
}

}  // namespace

Result<SourceFile> describeSource(const fs::path& file, const fs::path& indexFolder) {
  ROADTUNE_TRY(const UniqueFd fd, openForReading(file));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return systemError("cannot inspect", file.string());
  if (!S_ISREG(info.st_mode)) return badInput("is not a regular file", file.string());
  SourceFile source;
  source.path = fs::absolute(file).lexically_normal();
  source.nearby = source.path.lexically_relative(fs::absolute(indexFolder).lexically_normal());
  source.size = static_cast<std::uint64_t>(info.st_size);
  source.modified = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  ROADTUNE_TRY(source.fingerprint, contentSample(fd.get(), source.size, file));
  return source;
}

Result<fs::path> locateSource(const SourceFile& source, const fs::path& indexFolder) {
  fs::path path = source.path;
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    path = (indexFolder / source.nearby).lexically_normal();
    if (source.nearby.empty() || ::stat(path.c_str(), &info) != 0)
      return badInput("is no longer where it was imported from", source.path.string(),
                      "put it back, or run `roadtune data index` on its new place with the same --out");
  }
  if (static_cast<std::uint64_t>(info.st_size) != source.size) return changed(source);
  const std::int64_t modified = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  if (modified == source.modified) return path;
  ROADTUNE_TRY(const SourceFile now, describeSource(path, indexFolder));
  if (now.fingerprint != source.fingerprint) return changed(source);
  return path;
}

Result<std::string> SourceFileReader::read(const SourceFile& source, std::uint64_t offset, std::uint32_t length) {
  const std::string key = source.path.string();
  Handle handle = cached(key);
  if (!handle) {
    ROADTUNE_TRY(const fs::path path, locateSource(source, m_folder));
    ROADTUNE_TRY(UniqueFd fd, openForReading(path));
    handle = keep(key, std::move(fd));
  }
  std::string bytes(length == 0 ? source.size : length, '\0');
  ROADTUNE_CHECK(readAt(handle->get(), offset, bytes, source.path));
  return bytes;
}

Result<std::string> SourceFileReader::read(const fs::path& file, std::uint64_t offset, std::uint32_t length) {
  if (length == 0) return readFile(file);
  Handle handle = cached(file.string());
  if (!handle) {
    ROADTUNE_TRY(UniqueFd fd, openForReading(file));
    handle = keep(file.string(), std::move(fd));
  }
  std::string bytes(length, '\0');
  ROADTUNE_CHECK(readAt(handle->get(), offset, bytes, file));
  return bytes;
}

SourceFileReader::Handle SourceFileReader::cached(const std::string& key) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_byKey.find(key);
  if (found == m_byKey.end()) return {};
  m_recent.splice(m_recent.begin(), m_recent, found->second);
  return found->second->second;
}

SourceFileReader::Handle SourceFileReader::keep(const std::string& key, UniqueFd fd) {
  auto handle = std::make_shared<UniqueFd>(std::move(fd));
  const std::lock_guard lock(m_mutex);
  if (const auto found = m_byKey.find(key); found != m_byKey.end()) return found->second->second;
  m_recent.emplace_front(key, handle);
  m_byKey[key] = m_recent.begin();
  if (m_recent.size() > kOpenFiles) {
    m_byKey.erase(m_recent.back().first);
    m_recent.pop_back();
  }
  return handle;
}

}  // namespace roadtune::data
