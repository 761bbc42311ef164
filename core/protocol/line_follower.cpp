// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/line_follower.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace roadtune::protocol {

namespace {

constexpr std::size_t kHeadBytes = 64;
constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

// Up to `size` bytes at `offset`; fewer at the end of the file.
Result<std::size_t> readAt(int fd, char* into, std::size_t size, std::uint64_t offset, const fs::path& path) {
  std::size_t got = 0;
  while (got < size) {
    const ssize_t count = ::pread(fd, into + got, size - got, static_cast<off_t>(offset + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError("cannot read", path.string());
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  return got;
}

}  // namespace

LineFollower::LineFollower(fs::path path, FilePosition position)
    : m_path(std::move(path)), m_position(std::move(position)) {}

void LineFollower::restore(FilePosition position) {
  m_position = std::move(position);
  m_atEnd = false;
}

// Starts over when this is not the file of the last time: another inode with another beginning, or a shorter one.
Status LineFollower::checkSameFile(int fd, std::uint64_t inode, std::uint64_t size) {
  std::string head(kHeadBytes, '\0');
  ROADTUNE_TRY(const std::size_t got, readAt(fd, head.data(), head.size(), 0, m_path));
  head.resize(got);
  const bool same = size >= m_position.offset && head.compare(0, m_position.head.size(), m_position.head) == 0;
  if (!same) {
    m_position.offset = 0;
    ++m_restarts;
  }
  m_position.inode = inode;
  if (!same || m_position.head.size() < kHeadBytes) m_position.head = head;
  return {};
}

std::size_t LineFollower::visitLines(std::string_view bytes, const Visitor& visit, bool& stopped) {
  std::size_t lines = 0, start = 0;
  while (start < bytes.size()) {
    const void* newline = std::memchr(bytes.data() + start, '\n', bytes.size() - start);
    if (!newline) break;
    const auto end = static_cast<std::size_t>(static_cast<const char*>(newline) - bytes.data());
    const std::uint64_t offset = m_position.offset;
    m_position.offset += end - start + 1;
    ++lines;
    const bool goOn = visit(bytes.substr(start, end - start), offset);
    start = end + 1;
    if (!goOn) {
      stopped = true;
      break;
    }
  }
  return lines;
}

Result<std::size_t> LineFollower::poll(const Visitor& visit, std::size_t maxBytes) {
  m_pending = 0;
  UniqueFd fd(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() && errno == ENOENT) {
    m_atEnd = true;
    return std::size_t{0};
  }
  struct stat info {};
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0) return systemError("cannot open", m_path.string());
  ROADTUNE_CHECK(checkSameFile(fd.get(), info.st_ino, static_cast<std::uint64_t>(info.st_size)));

  std::size_t lines = 0, taken = 0;
  std::string buffer;
  bool stopped = false;
  m_atEnd = false;
  while (!stopped && !m_atEnd && taken < maxBytes) {
    const std::size_t old = buffer.size();  // of a line that is longer than what was read so far
    buffer.resize(old + kChunkBytes);
    ROADTUNE_TRY(const std::size_t got,
                 readAt(fd.get(), buffer.data() + old, kChunkBytes, m_position.offset + old, m_path));
    buffer.resize(old + got);
    const std::uint64_t before = m_position.offset;
    lines += visitLines(buffer, visit, stopped);
    const std::uint64_t used = m_position.offset - before;
    buffer.erase(0, used);
    taken += used;
    m_atEnd = !stopped && got < kChunkBytes;
  }
  m_pending = m_atEnd ? buffer.size() : 0;
  return lines;
}

}  // namespace roadtune::protocol
