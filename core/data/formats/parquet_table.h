// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <arrow/io/type_fwd.h>
#include <arrow/type_fwd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parquet::arrow {
class FileWriter;
}

namespace roadtune::data {

// The kinds of columns that Waymo's components have.
enum class ColumnKind { Text, Binary, Int8, Int32, Int64, Float, Double, Doubles16, Int8List, Int32List };

struct ColumnSpec {
  std::string name;
  ColumnKind kind = ColumnKind::Double;
};

// Writes one Parquet file row by row: set the cells of a row by column name, then endRow(). Cells that were not set
// are null. A row group is written when it is full. The file appears under its name when close() is called.
class ParquetTable {
 public:
  static Result<std::unique_ptr<ParquetTable>> create(const std::filesystem::path& path,
                                                      std::vector<ColumnSpec> columns, const std::string& codec,
                                                      int rowGroup);
  ~ParquetTable();

  void text(const std::string& column, std::string_view value);  // also binary
  void integer(const std::string& column, std::int64_t value);
  void number(const std::string& column, double value);
  void transform(const std::string& column, const std::array<double, 16>& value);
  void integers(const std::string& column, const std::vector<int>& values);
  Status endRow();
  Status close();

 private:
  ParquetTable();
  Status start(const std::filesystem::path& path, const std::string& codec);
  Status flush();
  std::size_t slot(const std::string& column) const;

  std::filesystem::path m_path, m_part;
  bool m_closed = false;  // whole, and in its place
  std::vector<ColumnSpec> m_columns;
  std::map<std::string, std::size_t> m_slots;
  std::shared_ptr<arrow::Schema> m_schema;
  std::shared_ptr<arrow::io::OutputStream> m_stream;
  std::unique_ptr<parquet::arrow::FileWriter> m_writer;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> m_builders;
  std::vector<bool> m_set;
  int m_rowGroup = 1;
  std::int64_t m_rows = 0;
  std::optional<Error> m_error;  // the first failure of a cell
};

}  // namespace roadtune::data
