// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace roadtune {

// A whole file in memory, read-only. The bytes live as long as the object; an empty file is an empty span.
// A file that shrinks while it is mapped cannot be survived: callers map finished files only.
class MappedFile {
 public:
  enum class Access { Random, Sequential };

  static Result<MappedFile> open(const std::filesystem::path& path, Access access = Access::Random);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const { return {m_data, m_size}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(m_data), m_size}; }
  std::size_t size() const { return m_size; }

  // Gives the pages back; they are read again when they are looked at. Safe while others look.
  void letGo() const;

 private:
  const std::uint8_t* m_data = nullptr;
  std::size_t m_size = 0;
};

}  // namespace roadtune
