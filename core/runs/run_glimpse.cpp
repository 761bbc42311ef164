// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_glimpse.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace roadtune::runs {

namespace {

std::string readStretch(int fd, std::uint64_t from, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const ssize_t count = ::pread(fd, bytes.data() + got, size - got, static_cast<off_t>(from + got));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    got += static_cast<std::size_t>(count);
  }
  bytes.resize(got);
  return bytes;
}

// Complete lines only.
void visitEvents(std::string_view bytes, const std::function<void(const protocol::FlatEvent&)>& visit) {
  protocol::FlatEvent event;
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    if (event.parse(bytes.substr(0, end)).ok()) visit(event);
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace

void glimpse(const fs::path& file, std::size_t headBytes, std::size_t tailBytes,
             const std::function<void(const protocol::FlatEvent&)>& visit) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0) return;
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size <= headBytes + tailBytes) {
    visitEvents(readStretch(fd.get(), 0, size), visit);
    return;
  }
  visitEvents(readStretch(fd.get(), 0, headBytes), visit);
  const std::string tail = readStretch(fd.get(), size - tailBytes, tailBytes);
  const std::size_t firstLine = tail.find('\n');  // the stretch begins within a line
  if (firstLine != std::string::npos) visitEvents(std::string_view(tail).substr(firstLine + 1), visit);
}

}  // namespace roadtune::runs
