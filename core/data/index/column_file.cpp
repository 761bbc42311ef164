// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/column_file.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"

#include <cstring>

namespace roadtune::data {

namespace {

constexpr char kMagic[8] = {'R', 'T', 'C', 'O', 'L', 'U', 'M', 'N'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kAlignment = 64;
constexpr std::uint32_t kMostColumns = 1024;

struct FileHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t columns;
  std::uint64_t fileSize;
  std::uint32_t tableCrc;
  std::uint8_t reserved[32];
  std::uint32_t headerCrc;  // of the 60 bytes before
};
static_assert(sizeof(FileHeader) == 64);

struct TableEntry {
  char name[32];
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint32_t elementSize;
  std::uint32_t crc;
  std::uint64_t reserved;
};
static_assert(sizeof(TableEntry) == 64);

std::size_t aligned(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

template <class T>
std::span<const std::uint8_t> bytesOf(const T& value, std::size_t count = sizeof(T)) {
  return {reinterpret_cast<const std::uint8_t*>(&value), count};
}

Error damaged(const std::filesystem::path& file, std::string what) {
  return badInput("damaged index file: " + what, file.string(), "run `roadtune data index` again on the same sources");
}

}  // namespace

void ColumnFileWriter::addBytes(std::string_view name, std::uint32_t elementSize, std::string_view bytes) {
  m_columns.push_back({std::string(name.substr(0, sizeof(TableEntry::name) - 1)), elementSize, std::string(bytes)});
}

Status ColumnFileWriter::write(const std::filesystem::path& file) const {
  std::string table;
  std::size_t offset = sizeof(FileHeader) + m_columns.size() * sizeof(TableEntry);
  for (const Column& column : m_columns) {
    TableEntry entry{};
    std::memcpy(entry.name, column.name.data(), column.name.size());
    offset = aligned(offset);
    entry.offset = offset;
    entry.bytes = column.bytes.size();
    entry.elementSize = column.elementSize;
    entry.crc = crc32c({reinterpret_cast<const std::uint8_t*>(column.bytes.data()), column.bytes.size()});
    table.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    offset += column.bytes.size();
  }
  FileHeader header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.columns = static_cast<std::uint32_t>(m_columns.size());
  header.fileSize = offset;
  header.tableCrc = crc32c({reinterpret_cast<const std::uint8_t*>(table.data()), table.size()});
  header.headerCrc = crc32c(bytesOf(header, sizeof header - sizeof header.headerCrc));

  std::string content(reinterpret_cast<const char*>(&header), sizeof header);
  content.reserve(offset);
  content += table;
  for (const Column& column : m_columns) {
    content.resize(aligned(content.size()), '\0');
    content += column.bytes;
  }
  return writeFileAtomically(file, content);
}

Result<ColumnFile> ColumnFile::open(const std::filesystem::path& path) {
  ColumnFile result;
  result.m_path = path;
  ROADTUNE_TRY(result.m_file, MappedFile::open(path, MappedFile::Access::Sequential));
  const std::span<const std::uint8_t> bytes = result.m_file.bytes();
  FileHeader header{};
  if (bytes.size() < sizeof header) return damaged(path, "shorter than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return damaged(path, "not a column file");
  if (header.version != kVersion)
    return badInput("written by another version of the program (layout " + std::to_string(header.version) + ")",
                    path.string(), "run `roadtune data index` again into a fresh folder");
  if (header.headerCrc != crc32c(bytesOf(header, sizeof header - sizeof header.headerCrc)))
    return damaged(path, "the header's CRC differs");
  if (header.fileSize != bytes.size()) return damaged(path, "its size differs from what the header says");
  if (header.columns > kMostColumns || sizeof header + header.columns * sizeof(TableEntry) > bytes.size())
    return damaged(path, "the column table does not fit");
  const auto table = bytes.subspan(sizeof header, header.columns * sizeof(TableEntry));
  result.m_tableCrc = header.tableCrc;
  if (crc32c(table) != header.tableCrc) return damaged(path, "the column table's CRC differs");
  for (std::uint32_t i = 0; i < header.columns; ++i) {
    TableEntry entry{};
    std::memcpy(&entry, table.data() + i * sizeof entry, sizeof entry);
    entry.name[sizeof entry.name - 1] = '\0';
    if (entry.offset > bytes.size() || entry.bytes > bytes.size() - entry.offset || entry.offset % kAlignment != 0)
      return damaged(path, std::string("column ") + entry.name + " lies outside the file");
    result.m_entries[entry.name] = {bytes.subspan(entry.offset, entry.bytes), entry.elementSize, entry.crc};
  }
  return result;
}

std::span<const std::uint8_t> ColumnFile::raw(std::string_view name, std::uint32_t elementSize) const {
  const auto found = m_entries.find(name);
  if (found == m_entries.end() || found->second.elementSize != elementSize) return {};
  return found->second.bytes;
}

std::string_view ColumnFile::text(std::string_view name) const {
  const auto bytes = raw(name, 1);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Status ColumnFile::verify(std::string_view prefix) const {
  for (const auto& [name, entry] : m_entries)
    if (startsWith(name, prefix) && crc32c(entry.bytes) != entry.crc)
      return damaged(m_path, "the CRC of column " + name + " differs");
  return {};
}

}  // namespace roadtune::data
