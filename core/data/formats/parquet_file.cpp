// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/parquet_file.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/schema.h>

#include <algorithm>

namespace roadtune::data {

namespace {

Error parquetError(std::string_view what, const std::filesystem::path& path) {
  return badInput(fmt::format("cannot be read as Parquet: {}", what), path.string());
}

// Arrow reports by Status, Parquet beneath it by exception; both end here.
template <class Work>
auto guarded(const std::filesystem::path& path, Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& error) {
    return parquetError(error.what(), path);
  }
}

}  // namespace

const ParquetColumn& ParquetRows::operator[](const std::string& name) const {
  static const ParquetColumn kNone;
  const auto found = m_columns.find(name);
  return found == m_columns.end() ? kNone : found->second;
}

ParquetFile::ParquetFile(std::filesystem::path path, std::unique_ptr<parquet::arrow::FileReader> reader)
    : m_path(std::move(path)), m_reader(std::move(reader)) {}
ParquetFile::ParquetFile(ParquetFile&&) noexcept = default;
ParquetFile::~ParquetFile() = default;

Result<ParquetFile> ParquetFile::open(const std::filesystem::path& path) {
  return guarded(path, [&]() -> Result<ParquetFile> {
    auto file = arrow::io::MemoryMappedFile::Open(path.string(), arrow::io::FileMode::READ);
    if (!file.ok()) return badInput(fmt::format("cannot be opened: {}", file.status().message()), path.string());
    parquet::ReaderProperties properties;
    properties.set_page_checksum_verification(true);  // of pages that have one
    parquet::arrow::FileReaderBuilder builder;
    if (const auto opened = builder.Open(*file, properties); !opened.ok()) return parquetError(opened.message(), path);
    auto reader = builder.memory_pool(arrow::default_memory_pool())->Build();
    if (!reader.ok()) return parquetError(reader.status().message(), path);
    (*reader)->set_use_threads(false);
    return ParquetFile(path, std::move(*reader));
  });
}

int ParquetFile::rowGroups() const { return m_reader->num_row_groups(); }

bool ParquetFile::hasColumn(const std::string& name) const {
  const auto& root = *m_reader->parquet_reader()->metadata()->schema()->group_node();
  return root.FieldIndex(name) >= 0;
}

Result<ParquetRows> ParquetFile::read(int rowGroup, const std::vector<std::string>& columns) const {
  return guarded(m_path, [&]() -> Result<ParquetRows> {
    const auto metadata = m_reader->parquet_reader()->metadata();
    std::vector<int> leaves;  // by the name of the top-level column: nested ones have several
    for (int i = 0; i < metadata->schema()->num_columns(); ++i) {
      const auto path = metadata->schema()->Column(i)->path()->ToDotVector();
      if (std::find(columns.begin(), columns.end(), path.front()) != columns.end()) leaves.push_back(i);
    }
    const std::int64_t rows = metadata->RowGroup(rowGroup)->num_rows();
    if (leaves.empty()) return ParquetRows(rows, {});
    auto table = m_reader->ReadRowGroup(rowGroup, leaves);
    if (!table.ok()) return parquetError(fmt::format("row group {}: {}", rowGroup, table.status().message()), m_path);
    std::map<std::string, ParquetColumn> found;
    for (const std::string& name : columns)
      if (auto values = (*table)->GetColumnByName(name)) found.emplace(name, ParquetColumn(std::move(values)));
    return ParquetRows(rows, std::move(found));
  });
}

Status ParquetFile::forEach(const std::vector<std::string>& columns,
                            const std::function<bool(const ParquetRows&)>& visit) const {
  Status damage;
  for (int group = 0; group < rowGroups(); ++group) {
    const Result<ParquetRows> rows = read(group, columns);
    if (!rows.ok() && damage.ok()) damage = rows.error();
    if (rows.ok() && !visit(rows.value())) break;
  }
  return damage;
}

}  // namespace roadtune::data
