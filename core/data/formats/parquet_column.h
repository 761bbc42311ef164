// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// One column of a row group, read value by value whatever the writer chose as its physical type: numbers of any width,
// strings or binary, with or without a dictionary. Views live as long as the column.
class ParquetColumn {
 public:
  ParquetColumn() = default;
  explicit ParquetColumn(std::shared_ptr<arrow::ChunkedArray> values);

  bool exists() const { return m_values != nullptr; }
  std::int64_t size() const;

  bool isNull(std::int64_t row) const;
  std::string_view text(std::int64_t row) const;                // empty for null and for numbers
  std::optional<std::int64_t> integer(std::int64_t row) const;  // no value for null and for what is no number
  std::optional<double> number(std::int64_t row) const;         // the same
  std::vector<double> numbers(std::int64_t row) const;          // of a list; empty for null
  std::optional<std::string> written(std::int64_t row) const;   // text, or a number as text; no value for others
  bool holdsText() const;                                       // or bytes
  bool holdsBytes() const;                                      // that nobody declared to be text

  // A field of a struct column, as a column of its own.
  ParquetColumn field(std::string_view name) const;
  bool isStruct() const;

 private:
  struct Place {
    const arrow::Array* array = nullptr;
    std::int64_t row = 0;
  };
  Place find(std::int64_t row) const;

  std::shared_ptr<arrow::ChunkedArray> m_values;
  mutable std::size_t m_chunk = 0;  // where the last value lay: rows are asked for in order
  mutable std::int64_t m_chunkStart = 0;
};

}  // namespace roadtune::data
