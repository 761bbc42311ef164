// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/parquet_column.h"

#include <arrow/api.h>
#include <arrow/util/float16.h>
#include <fmt/format.h>

#include <charconv>

namespace roadtune::data {

namespace {

template <class ArrayType>
std::optional<std::int64_t> integerOf(const arrow::Array& array, std::int64_t row) {
  return static_cast<std::int64_t>(static_cast<const ArrayType&>(array).Value(row));
}

std::optional<std::int64_t> integerAt(const arrow::Array& array, std::int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::BOOL: return integerOf<arrow::BooleanArray>(array, row);
    case arrow::Type::INT8: return integerOf<arrow::Int8Array>(array, row);
    case arrow::Type::INT16: return integerOf<arrow::Int16Array>(array, row);
    case arrow::Type::INT32: return integerOf<arrow::Int32Array>(array, row);
    case arrow::Type::INT64: return integerOf<arrow::Int64Array>(array, row);
    case arrow::Type::UINT8: return integerOf<arrow::UInt8Array>(array, row);
    case arrow::Type::UINT16: return integerOf<arrow::UInt16Array>(array, row);
    case arrow::Type::UINT32: return integerOf<arrow::UInt32Array>(array, row);
    case arrow::Type::UINT64: return integerOf<arrow::UInt64Array>(array, row);
    case arrow::Type::TIMESTAMP: return integerOf<arrow::TimestampArray>(array, row);
    default: return std::nullopt;
  }
}

std::optional<double> numberAt(const arrow::Array& array, std::int64_t row) {
  if (array.type_id() == arrow::Type::DOUBLE) return static_cast<const arrow::DoubleArray&>(array).Value(row);
  if (array.type_id() == arrow::Type::HALF_FLOAT)
    return arrow::util::Float16::FromBits(static_cast<const arrow::HalfFloatArray&>(array).Value(row)).ToDouble();
  if (array.type_id() == arrow::Type::FLOAT) return static_cast<const arrow::FloatArray&>(array).Value(row);
  if (const auto whole = integerAt(array, row)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::string_view textAt(const arrow::Array& array, std::int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY: return static_cast<const arrow::BinaryArray&>(array).GetView(row);
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY: return static_cast<const arrow::LargeBinaryArray&>(array).GetView(row);
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW: return static_cast<const arrow::BinaryViewArray&>(array).GetView(row);
    case arrow::Type::FIXED_SIZE_BINARY: return static_cast<const arrow::FixedSizeBinaryArray&>(array).GetView(row);
    default: return {};
  }
}

bool isTextual(arrow::Type::type type) {
  return arrow::is_base_binary_like(type) || arrow::is_binary_view_like(type) || type == arrow::Type::FIXED_SIZE_BINARY;
}

// All of the text; nothing where it is no number of that kind.
template <class Number>
std::optional<Number> numberOfText(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Of its values, with a dictionary looked through.
const arrow::DataType& valueType(const arrow::ChunkedArray& values) {
  const arrow::DataType& type = *values.type();
  return type.id() == arrow::Type::DICTIONARY ? *static_cast<const arrow::DictionaryType&>(type).value_type() : type;
}

std::vector<double> numbersBetween(const arrow::Array& values, std::int64_t from, std::int64_t to) {
  std::vector<double> out;
  for (std::int64_t i = from; i < to; ++i) out.push_back(values.IsNull(i) ? 0 : numberAt(values, i).value_or(0));
  return out;
}

}  // namespace

ParquetColumn::ParquetColumn(std::shared_ptr<arrow::ChunkedArray> values) : m_values(std::move(values)) {}

std::int64_t ParquetColumn::size() const { return m_values ? m_values->length() : 0; }

// The array that holds a row, with dictionaries looked through; no array for null and for what is not there.
ParquetColumn::Place ParquetColumn::find(std::int64_t row) const {
  if (!m_values || row < 0 || row >= m_values->length()) return {};
  if (row < m_chunkStart) m_chunk = 0, m_chunkStart = 0;
  while (row >= m_chunkStart + m_values->chunk(static_cast<int>(m_chunk))->length())
    m_chunkStart += m_values->chunk(static_cast<int>(m_chunk++))->length();
  const arrow::Array* array = m_values->chunk(static_cast<int>(m_chunk)).get();
  std::int64_t at = row - m_chunkStart;
  if (array->IsNull(at)) return {};
  if (array->type_id() == arrow::Type::DICTIONARY) {
    const auto& dictionary = static_cast<const arrow::DictionaryArray&>(*array);
    at = dictionary.GetValueIndex(at);
    array = dictionary.dictionary().get();
    if (at < 0 || at >= array->length() || array->IsNull(at)) return {};
  }
  return {array, at};
}

bool ParquetColumn::isNull(std::int64_t row) const { return find(row).array == nullptr; }

std::string_view ParquetColumn::text(std::int64_t row) const {
  const Place place = find(row);
  return place.array ? textAt(*place.array, place.row) : std::string_view();
}

std::optional<std::int64_t> ParquetColumn::integer(std::int64_t row) const {
  const Place place = find(row);
  if (!place.array) return std::nullopt;
  if (const auto whole = integerAt(*place.array, place.row)) return whole;
  if (const auto real = numberAt(*place.array, place.row)) return static_cast<std::int64_t>(*real);
  return isTextual(place.array->type_id()) ? numberOfText<std::int64_t>(textAt(*place.array, place.row)) : std::nullopt;
}

std::optional<double> ParquetColumn::number(std::int64_t row) const {
  const Place place = find(row);
  if (!place.array) return std::nullopt;
  if (isTextual(place.array->type_id())) return numberOfText<double>(textAt(*place.array, place.row));
  return numberAt(*place.array, place.row);
}

std::vector<double> ParquetColumn::numbers(std::int64_t row) const {
  const Place place = find(row);
  if (!place.array) return {};
  switch (place.array->type_id()) {
    case arrow::Type::LIST: {
      const auto& list = static_cast<const arrow::ListArray&>(*place.array);
      return numbersBetween(*list.values(), list.value_offset(place.row), list.value_offset(place.row + 1));
    }
    case arrow::Type::LARGE_LIST: {
      const auto& list = static_cast<const arrow::LargeListArray&>(*place.array);
      return numbersBetween(*list.values(), list.value_offset(place.row), list.value_offset(place.row + 1));
    }
    case arrow::Type::FIXED_SIZE_LIST: {
      const auto& list = static_cast<const arrow::FixedSizeListArray&>(*place.array);
      return numbersBetween(*list.values(), list.value_offset(place.row), list.value_offset(place.row + 1));
    }
    default: return {};
  }
}

std::optional<std::string> ParquetColumn::written(std::int64_t row) const {
  const Place place = find(row);
  if (!place.array) return std::nullopt;
  const arrow::Type::type type = place.array->type_id();
  if (isTextual(type)) return std::string(textAt(*place.array, place.row));
  if (type == arrow::Type::BOOL)
    return static_cast<const arrow::BooleanArray&>(*place.array).Value(place.row) ? "true" : "false";
  if (type == arrow::Type::FLOAT)
    return fmt::format("{}", static_cast<const arrow::FloatArray&>(*place.array).Value(place.row));
  if (type == arrow::Type::UINT64)
    return std::to_string(static_cast<const arrow::UInt64Array&>(*place.array).Value(place.row));
  if (const auto whole = integerAt(*place.array, place.row)) return std::to_string(*whole);
  if (const auto real = numberAt(*place.array, place.row)) return fmt::format("{}", *real);
  return std::nullopt;
}

bool ParquetColumn::holdsText() const {
  if (!m_values) return false;
  return isTextual(valueType(*m_values).id());
}

bool ParquetColumn::holdsBytes() const {
  if (!m_values) return false;
  const arrow::Type::type type = valueType(*m_values).id();
  return isTextual(type) && !arrow::is_string(type) && type != arrow::Type::STRING_VIEW;
}

bool ParquetColumn::isStruct() const { return m_values && m_values->type()->id() == arrow::Type::STRUCT; }

ParquetColumn ParquetColumn::field(std::string_view name) const {
  if (!isStruct()) return {};
  const int index = static_cast<const arrow::StructType&>(*m_values->type()).GetFieldIndex(std::string(name));
  if (index < 0) return {};
  std::vector<std::shared_ptr<arrow::Array>> parts;
  for (const auto& chunk : m_values->chunks()) {
    auto part = static_cast<const arrow::StructArray&>(*chunk).GetFlattenedField(index);  // with the struct's own nulls
    if (!part.ok()) return {};
    parts.push_back(*part);
  }
  if (parts.empty()) return {};
  return ParquetColumn(std::make_shared<arrow::ChunkedArray>(std::move(parts)));
}

}  // namespace roadtune::data
