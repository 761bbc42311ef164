// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/thumbnail_pack.h"

#include "core/base/files.h"
#include "core/base/hash.h"

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>

namespace roadtune::data {

namespace {

// Before every JPEG in a pack. The pack is read from the front to learn what it holds.
struct PackEntry {
  std::uint32_t magic;
  std::uint32_t row;     // of the image in its segment
  std::uint32_t length;  // of the JPEG that follows
  std::uint32_t crc;     // of the three numbers before
};
constexpr std::uint32_t kEntryMagic = 0x42485452;  // "RTHB"

std::uint32_t entryCrc(const PackEntry& entry) {
  return crc32c({reinterpret_cast<const std::uint8_t*>(&entry), sizeof entry - sizeof entry.crc});
}

Status writeAt(int fd, std::uint64_t offset, std::string_view bytes, const fs::path& file) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError("cannot write", file.string());
    offset += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace

std::optional<std::string> ThumbnailPack::find(std::uint32_t row) {
  const std::lock_guard lock(m_mutex);
  openForReading();
  auto found = m_rows.find(row);
  if (found == m_rows.end()) {
    scan();
    found = m_rows.find(row);
  }
  if (found == m_rows.end()) return std::nullopt;
  std::string bytes(found->second.second, '\0');
  const ssize_t count = ::pread(m_fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(found->second.first));
  if (count != static_cast<ssize_t>(bytes.size())) return std::nullopt;
  return bytes;
}

Status ThumbnailPack::add(std::uint32_t row, const std::string& jpeg) {
  const std::lock_guard lock(m_mutex);
  ROADTUNE_CHECK(openForWriting());
  if (::flock(m_fd.get(), LOCK_EX) != 0) return systemError("cannot lock", m_path.string());
  scan();
  Status written;
  if (!m_rows.contains(row)) {
    PackEntry entry{kEntryMagic, row, static_cast<std::uint32_t>(jpeg.size()), 0};
    entry.crc = entryCrc(entry);
    std::string bytes(reinterpret_cast<const char*>(&entry), sizeof entry);
    bytes += jpeg;
    written = writeAt(m_fd.get(), m_scanned, bytes, m_path);
    if (written.ok()) scan();
  }
  ::flock(m_fd.get(), LOCK_UN);
  return written;
}

void ThumbnailPack::openForReading() {
  if (!m_fd.valid()) m_fd.reset(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
}

Status ThumbnailPack::openForWriting() {
  if (m_writable) return {};
  ROADTUNE_CHECK(makeFolders(m_path.parent_path()));
  UniqueFd fd(::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.valid()) return systemError("cannot open for writing", m_path.string());
  m_fd = std::move(fd);
  m_writable = true;
  return {};
}

// Learns the entries after the last known one; stops at a half-written one, which the next writer overwrites.
void ThumbnailPack::scan() {
  struct stat info {};
  if (!m_fd.valid() || ::fstat(m_fd.get(), &info) != 0) return;
  const auto size = static_cast<std::uint64_t>(info.st_size);
  PackEntry entry{};
  while (m_scanned + sizeof entry <= size) {
    if (::pread(m_fd.get(), &entry, sizeof entry, static_cast<off_t>(m_scanned)) != sizeof entry) return;
    const std::uint64_t end = m_scanned + sizeof entry + entry.length;
    if (entry.magic != kEntryMagic || entry.crc != entryCrc(entry) || end > size) return;
    m_rows[entry.row] = {m_scanned + sizeof entry, entry.length};
    m_scanned = end;
  }
}

}  // namespace roadtune::data
