// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/parquet_table.h"

#include "core/base/files.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/util/compression.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <cstdlib>

namespace roadtune::data {

namespace {

std::shared_ptr<arrow::DataType> arrowType(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::Text: return arrow::utf8();
    case ColumnKind::Binary: return arrow::binary();
    case ColumnKind::Int8: return arrow::int8();
    case ColumnKind::Int32: return arrow::int32();
    case ColumnKind::Int64: return arrow::int64();
    case ColumnKind::Float: return arrow::float32();
    case ColumnKind::Double: return arrow::float64();
    case ColumnKind::Doubles16: return arrow::fixed_size_list(arrow::float64(), 16);
    case ColumnKind::Int8List: return arrow::list(arrow::int8());
    case ColumnKind::Int32List: return arrow::list(arrow::int32());
  }
  return arrow::null();
}

Result<arrow::Compression::type> codecNamed(const std::string& name) {
  if (name == "none") return arrow::Compression::UNCOMPRESSED;
  if (name == "brotli") return arrow::Compression::BROTLI;
  if (name == "snappy") return arrow::Compression::SNAPPY;
  if (name == "zstd") return arrow::Compression::ZSTD;
  if (name == "gzip") return arrow::Compression::GZIP;
  return badInput(fmt::format("there is no codec '{}'", name), "", "none, brotli, snappy, zstd or gzip");
}

arrow::Status appendInteger(arrow::ArrayBuilder& builder, ColumnKind kind, std::int64_t value) {
  switch (kind) {
    case ColumnKind::Int8: return static_cast<arrow::Int8Builder&>(builder).Append(static_cast<std::int8_t>(value));
    case ColumnKind::Int32: return static_cast<arrow::Int32Builder&>(builder).Append(static_cast<std::int32_t>(value));
    case ColumnKind::Int64: return static_cast<arrow::Int64Builder&>(builder).Append(value);
    default: return arrow::Status::TypeError("not a column of whole numbers");
  }
}

}  // namespace

ParquetTable::ParquetTable() = default;

Result<std::unique_ptr<ParquetTable>> ParquetTable::create(const std::filesystem::path& path,
                                                           std::vector<ColumnSpec> columns, const std::string& codec,
                                                           int rowGroup) {
  std::unique_ptr<ParquetTable> table(new ParquetTable());
  table->m_columns = std::move(columns);
  table->m_rowGroup = rowGroup;
  try {
    ROADTUNE_CHECK(table->start(path, codec));
  } catch (const std::exception& error) {
    return failed(error.what(), path.string());
  }
  return table;
}

ParquetTable::~ParquetTable() {
  std::error_code ignored;
  if (!m_closed && m_stream) std::filesystem::remove(m_part, ignored);
}

Status ParquetTable::start(const std::filesystem::path& path, const std::string& codec) {
  ROADTUNE_CHECK(makeFolders(path.parent_path()));
  ROADTUNE_TRY(const auto compression, codecNamed(codec));
  m_path = path;
  m_part = path;
  m_part += ".part";
  std::vector<std::shared_ptr<arrow::Field>> fields;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    fields.push_back(arrow::field(m_columns[i].name, arrowType(m_columns[i].kind)));
    m_slots[m_columns[i].name] = i;
    auto builder = arrow::MakeBuilder(fields.back()->type());
    if (!builder.ok()) return failed(builder.status().message(), path.string());
    m_builders.push_back(std::move(*builder));
  }
  m_set.assign(m_columns.size(), false);
  m_schema = arrow::schema(std::move(fields));
  auto stream = arrow::io::FileOutputStream::Open(m_part.string());
  if (!stream.ok()) return failed(stream.status().message(), path.string());
  m_stream = *stream;
  auto writer = parquet::arrow::FileWriter::Open(
      *m_schema, arrow::default_memory_pool(), m_stream,
      parquet::WriterProperties::Builder().compression(compression)->enable_page_checksum()->build(),
      parquet::ArrowWriterProperties::Builder().store_schema()->build());
  if (!writer.ok()) return failed(writer.status().message(), path.string());
  m_writer = std::move(*writer);
  return {};
}

// A column that was never declared is a mistake of ours.
std::size_t ParquetTable::slot(const std::string& column) const {
  const auto found = m_slots.find(column);
  if (found == m_slots.end()) std::abort();
  return found->second;
}

void ParquetTable::text(const std::string& column, std::string_view value) {
  const std::size_t i = slot(column);
  m_set[i] = true;
  auto& builder = static_cast<arrow::BinaryBuilder&>(*m_builders[i]);
  if (const auto status = builder.Append(value); !status.ok()) m_error = failed(status.message(), m_path.string());
}

void ParquetTable::integer(const std::string& column, std::int64_t value) {
  const std::size_t i = slot(column);
  m_set[i] = true;
  if (const auto status = appendInteger(*m_builders[i], m_columns[i].kind, value); !status.ok())
    m_error = failed(status.message(), m_path.string());
}

void ParquetTable::number(const std::string& column, double value) {
  const std::size_t i = slot(column);
  m_set[i] = true;
  const auto status = m_columns[i].kind == ColumnKind::Float
                          ? static_cast<arrow::FloatBuilder&>(*m_builders[i]).Append(static_cast<float>(value))
                          : static_cast<arrow::DoubleBuilder&>(*m_builders[i]).Append(value);
  if (!status.ok()) m_error = failed(status.message(), m_path.string());
}

void ParquetTable::transform(const std::string& column, const std::array<double, 16>& value) {
  const std::size_t i = slot(column);
  m_set[i] = true;
  auto& list = static_cast<arrow::FixedSizeListBuilder&>(*m_builders[i]);
  auto status = list.Append();
  if (status.ok())
    status = static_cast<arrow::DoubleBuilder*>(list.value_builder())->AppendValues(value.data(), value.size());
  if (!status.ok()) m_error = failed(status.message(), m_path.string());
}

void ParquetTable::integers(const std::string& column, const std::vector<int>& values) {
  const std::size_t i = slot(column);
  m_set[i] = true;
  auto& list = static_cast<arrow::ListBuilder&>(*m_builders[i]);
  auto status = list.Append();
  const ColumnKind kind = m_columns[i].kind == ColumnKind::Int8List ? ColumnKind::Int8 : ColumnKind::Int32;
  for (const int value : values)
    if (status.ok()) status = appendInteger(*list.value_builder(), kind, value);
  if (!status.ok()) m_error = failed(status.message(), m_path.string());
}

Status ParquetTable::endRow() {
  for (std::size_t i = 0; i < m_builders.size(); ++i) {
    if (!m_set[i])
      if (const auto status = m_builders[i]->AppendNull(); !status.ok())
        return failed(status.message(), m_path.string());
    m_set[i] = false;
  }
  if (m_error) return *m_error;
  return ++m_rows >= m_rowGroup ? flush() : Status{};
}

Status ParquetTable::flush() {
  if (m_rows == 0) return {};
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (auto& builder : m_builders) {
    auto array = builder->Finish();
    if (!array.ok()) return failed(array.status().message(), m_path.string());
    arrays.push_back(*array);
  }
  const auto table = arrow::Table::Make(m_schema, arrays, m_rows);
  const std::int64_t rows = m_rows;
  m_rows = 0;
  if (const auto status = m_writer->WriteTable(*table, rows); !status.ok())
    return failed(fmt::format("cannot be written: {}", status.message()), m_path.string());
  return {};
}

Status ParquetTable::close() {
  try {
    ROADTUNE_CHECK(flush());
    for (const auto& status : {m_writer->Close(), m_stream->Close()})
      if (!status.ok()) return failed(fmt::format("cannot be written: {}", status.message()), m_path.string());
  } catch (const std::exception& error) {
    return failed(error.what(), m_path.string());
  }
  std::error_code code;
  std::filesystem::rename(m_part, m_path, code);
  if (code) return systemError(code.value(), "cannot rename", m_part.string());
  m_closed = true;
  return {};
}

}  // namespace roadtune::data
