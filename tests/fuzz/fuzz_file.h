// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace roadtune::fuzz {

// Bytes as a file that exists in memory only, for parsers that map files.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : m_fd(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (m_fd < 0 || ::write(m_fd, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { ::close(m_fd); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(m_fd); }

 private:
  int m_fd;
};

// What must hold whatever the bytes are; a broken promise is a finding like a crash.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace roadtune::fuzz
