// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/formats/parquet_column.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace parquet::arrow {
class FileReader;
}

namespace roadtune::data {

// The wanted columns of one row group, by name. Columns that the file lacks answer exists() == false.
class ParquetRows {
 public:
  ParquetRows(std::int64_t rows, std::map<std::string, ParquetColumn> columns)
      : m_rows(rows), m_columns(std::move(columns)) {}
  std::int64_t size() const { return m_rows; }
  const ParquetColumn& operator[](const std::string& name) const;

 private:
  std::int64_t m_rows;
  std::map<std::string, ParquetColumn> m_columns;
};

// A Parquet file read one row group at a time. Nothing of Arrow's exceptions gets out.
class ParquetFile {
 public:
  static Result<ParquetFile> open(const std::filesystem::path& path);
  ParquetFile(ParquetFile&&) noexcept;
  ~ParquetFile();

  bool hasColumn(const std::string& name) const;
  int rowGroups() const;
  Result<ParquetRows> read(int rowGroup, const std::vector<std::string>& columns) const;

  // Every row group in turn until `visit` says false. Damaged ones are passed over; what was wrong with the first of
  // them is the answer.
  Status forEach(const std::vector<std::string>& columns, const std::function<bool(const ParquetRows&)>& visit) const;

 private:
  ParquetFile(std::filesystem::path path, std::unique_ptr<parquet::arrow::FileReader> reader);
  std::filesystem::path m_path;
  std::unique_ptr<parquet::arrow::FileReader> m_reader;
};

}  // namespace roadtune::data
