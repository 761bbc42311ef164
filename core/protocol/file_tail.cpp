// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/file_tail.h"

#include "core/protocol/event.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace roadtune::protocol {

namespace {

Result<std::string> readStretch(int fd, std::uint64_t from, std::uint64_t to, const fs::path& path) {
  std::string bytes(to - from, '\0');
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t count = ::pread(fd, bytes.data() + got, bytes.size() - got, static_cast<off_t>(from + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError("cannot read", path.string());
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  bytes.resize(got);
  return bytes;
}

// The number after the last event among the lines of `bytes`, searched backwards.
std::optional<std::uint64_t> lastNumber(std::string_view bytes) {
  while (!bytes.empty()) {
    if (bytes.back() == '\n') {
      bytes.remove_suffix(1);
      continue;
    }
    const std::size_t newline = bytes.rfind('\n');
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    const Result<Event> event = decode(bytes.substr(start));
    if (event.ok()) return event.value().seq + 1;
    bytes = bytes.substr(0, start);
  }
  return {};
}

}  // namespace

Result<FileTail> readTail(int fd, const fs::path& path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return systemError("cannot inspect", path.string());
  FileTail tail;
  if (!S_ISREG(info.st_mode) || info.st_size == 0) return tail;
  const auto size = static_cast<std::uint64_t>(info.st_size);
  for (std::uint64_t window = 4 * kMaxLineBytes;; window *= 8) {
    const std::uint64_t from = size > window ? size - window : 0;
    ROADTUNE_TRY(const std::string bytes, readStretch(fd, from, size, path));
    tail.partial = !bytes.empty() && bytes.back() != '\n';
    if (const auto next = lastNumber(bytes)) {
      tail.nextSeq = *next;
      return tail;
    }
    if (from == 0) return tail;
  }
}

}  // namespace roadtune::protocol
