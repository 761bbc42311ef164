// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/mapped_file.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// Named arrays in one file: little endian, each starting at a multiple of 64 bytes and carrying a CRC-32C.
// FORMAT.md describes the bytes.
class ColumnFileWriter {
 public:
  template <class T>
  void add(std::string_view name, const std::vector<T>& values) {
    addBytes(name, sizeof(T), {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  void addText(std::string_view name, std::string_view text) { addBytes(name, 1, text); }

  // Written aside and renamed.
  Status write(const std::filesystem::path& file) const;

 private:
  struct Column {
    std::string name;
    std::uint32_t elementSize = 1;
    std::string bytes;
  };
  void addBytes(std::string_view name, std::uint32_t elementSize, std::string_view bytes);
  std::vector<Column> m_columns;
};

class ColumnFile {
 public:
  // Maps the file; checks magic, version, sizes and the CRC of the table, not those of the columns.
  static Result<ColumnFile> open(const std::filesystem::path& file);

  // A missing column, or one of another element size, is an empty span.
  template <class T>
  std::span<const T> column(std::string_view name) const {
    const std::span<const std::uint8_t> found = raw(name, sizeof(T));
    return {reinterpret_cast<const T*>(found.data()), found.size() / sizeof(T)};
  }
  std::string_view text(std::string_view name) const;

  // Columns whose name starts with `prefix` against their CRC.
  Status verify(std::string_view prefix) const;
  void letGo() const { m_file.letGo(); }  // its pages, until somebody looks again
  std::uint32_t tableCrc() const { return m_tableCrc; }

 private:
  struct Entry {
    std::span<const std::uint8_t> bytes;
    std::uint32_t elementSize = 0, crc = 0;
  };
  std::span<const std::uint8_t> raw(std::string_view name, std::uint32_t elementSize) const;

  std::filesystem::path m_path;
  MappedFile m_file;
  std::map<std::string, Entry, std::less<>> m_entries;
  std::uint32_t m_tableCrc = 0;
};

}  // namespace roadtune::data
