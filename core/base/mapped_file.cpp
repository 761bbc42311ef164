// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/mapped_file.h"

#include "core/base/unique_fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace roadtune {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, Access access) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0) {
    Error error = systemError("cannot open", path.string());
    error.kind = ErrorKind::BadInput;
    return error;
  }
  if (!S_ISREG(info.st_mode)) return badInput("is not a regular file", path.string());
  MappedFile file;
  file.m_size = static_cast<std::size_t>(info.st_size);
  if (file.m_size == 0) return file;
  void* data = ::mmap(nullptr, file.m_size, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (data == MAP_FAILED) {
    file.m_size = 0;
    return systemError("cannot map into memory", path.string());
  }
  file.m_data = static_cast<const std::uint8_t*>(data);
  ::madvise(data, file.m_size, access == Access::Sequential ? MADV_SEQUENTIAL : MADV_RANDOM);
  return file;
}

void MappedFile::letGo() const {
  if (m_data) ::madvise(const_cast<std::uint8_t*>(m_data), m_size, MADV_DONTNEED);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
  return *this;
}

MappedFile::~MappedFile() {
  if (m_data) ::munmap(const_cast<std::uint8_t*>(m_data), m_size);
}

}  // namespace roadtune
