// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a safetensors file: eight bytes of length, JSON, then tensor bytes without holes. Everything in it is
// foreign input and checked here once.
#include "core/model/safetensors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

namespace roadtune::model {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kLargestHeader = 100'000'000;
constexpr std::size_t kMostDimensions = 64;

Error broken(const std::string& where, const std::string& what) {
  return badInput("not a usable safetensors file: " + what, where, "download or export the file again");
}

// Refuses what nlohmann::json would accept silently or could not survive: the same name twice in one object and
// absurd nesting. Offsets of problems come with the exception of the parser itself.
class HeaderGuard {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > 8) throw std::runtime_error("nested too deeply");
    if (event == Json::parse_event_t::object_start) m_seen.emplace_back();
    if (event == Json::parse_event_t::object_end) m_seen.pop_back();
    if (event == Json::parse_event_t::key && !m_seen.back().insert(parsed.get<std::string>()).second)
      throw std::runtime_error("the name '" + parsed.get<std::string>() + "' appears twice");
    return true;
  }

 private:
  std::vector<std::set<std::string>> m_seen;
};

Result<Json> parseJson(std::string_view text, const std::string& where) {
  if (text.empty() || text.front() != '{') return broken(where, "the header does not begin with '{'");
  try {
    Json json = Json::parse(text, HeaderGuard());
    if (!json.is_object()) return broken(where, "the header is not an object");
    return json;
  } catch (const std::exception& error) {
    return broken(where, fmt::format("header: {}", error.what()));
  }
}

std::optional<std::uint64_t> unsignedOf(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  return std::nullopt;
}

// Product of the dimensions; none when it does not fit.
std::optional<std::uint64_t> elementCount(const std::vector<std::int64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::int64_t size : shape)
    if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(size), &count)) return std::nullopt;
  if (count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  return count;
}

struct PlacedTensor {
  TensorView view;
  std::uint64_t begin = 0, end = 0;
};

Result<std::vector<std::int64_t>> readShape(const Json& entry, const std::string& name, const std::string& where) {
  const auto shape = entry.find("shape");
  if (shape == entry.end() || !shape->is_array()) return broken(where, fmt::format("'{}' has no shape", name));
  if (shape->size() > kMostDimensions) return broken(where, fmt::format("'{}' has {} dimensions", name, shape->size()));
  std::vector<std::int64_t> sizes;
  for (const Json& size : *shape) {
    const auto number = unsignedOf(size);
    if (!number || *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return broken(where, fmt::format("'{}' has a size that is not a whole number", name));
    sizes.push_back(static_cast<std::int64_t>(*number));
  }
  return sizes;
}

Result<PlacedTensor> readEntry(const std::string& name, const Json& entry, std::uint64_t dataBytes,
                               const std::string& where) {
  if (!entry.is_object()) return broken(where, fmt::format("'{}' is not described by an object", name));
  PlacedTensor tensor;
  tensor.view.name = name;
  const auto dtype = entry.find("dtype");
  if (dtype == entry.end() || !dtype->is_string()) return broken(where, fmt::format("'{}' has no dtype", name));
  const auto known = dtypeFromName(dtype->get_ref<const std::string&>());
  if (!known)
    return broken(where, fmt::format("'{}' has the unknown dtype '{}'", name, dtype->get_ref<const std::string&>()));
  tensor.view.dtype = *known;
  ROADTUNE_TRY(tensor.view.shape, readShape(entry, name, where));

  const auto offsets = entry.find("data_offsets");
  if (offsets == entry.end() || !offsets->is_array() || offsets->size() != 2)
    return broken(where, fmt::format("'{}' has no data_offsets", name));
  const auto begin = unsignedOf((*offsets)[0]), end = unsignedOf((*offsets)[1]);
  if (!begin || !end || *begin > *end)
    return broken(where, fmt::format("'{}' has data_offsets that are not a range", name));
  if (*end > dataBytes)
    return broken(where, fmt::format("'{}' ends at byte {} of {}: the file is cut short", name, *end, dataBytes));
  const auto count = elementCount(tensor.view.shape);
  std::uint64_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, static_cast<std::uint64_t>(sizeOf(*known)), &bytes) ||
      bytes != *end - *begin)
    return broken(where, fmt::format("'{}' occupies {} bytes, which its shape does not explain", name, *end - *begin));
  tensor.begin = *begin;
  tensor.end = *end;
  return tensor;
}

Result<std::map<std::string, std::string>> readMetadata(const Json& entry, const std::string& where) {
  std::map<std::string, std::string> metadata;
  if (!entry.is_object()) return broken(where, "__metadata__ is not an object");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) return broken(where, fmt::format("__metadata__ '{}' is not text", key));
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

// Every byte belongs to exactly one tensor.
Status checkCoverage(std::vector<PlacedTensor>& placed, std::uint64_t dataBytes, const std::string& where) {
  std::sort(placed.begin(), placed.end(), [](const PlacedTensor& a, const PlacedTensor& b) {
    return std::tie(a.begin, a.end, a.view.name) < std::tie(b.begin, b.end, b.view.name);
  });
  std::uint64_t at = 0;
  for (const PlacedTensor& tensor : placed) {
    if (tensor.begin < at) return broken(where, fmt::format("'{}' overlaps the tensor before it", tensor.view.name));
    if (tensor.begin > at)
      return broken(where, fmt::format("{} bytes before '{}' belong to nothing", tensor.begin - at, tensor.view.name));
    at = tensor.end;
  }
  if (at != dataBytes) return broken(where, fmt::format("{} bytes at the end belong to nothing", dataBytes - at));
  return {};
}

}  // namespace

std::int64_t TensorView::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::uint8_t> start, std::uint64_t fileSize,
                                                 const std::string& where) {
  if (fileSize < 8 || start.size() < 8)
    return broken(where, fmt::format("{} bytes are too few for a header", fileSize));
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = (length << 8) | start[static_cast<std::size_t>(i)];
  if (length > kLargestHeader) return broken(where, fmt::format("the header claims {} bytes", length));
  if (length > fileSize - 8 || length > start.size() - 8)
    return broken(where, fmt::format("the header claims {} bytes, the file has {}", length, fileSize));

  ROADTUNE_TRY(const Json json, parseJson({reinterpret_cast<const char*>(start.data()) + 8, length}, where));
  SafetensorsHeader header;
  header.headerBytes = 8 + length;
  const std::uint64_t dataBytes = fileSize - header.headerBytes;
  std::vector<PlacedTensor> placed;
  for (const auto& [name, entry] : json.items()) {
    if (name == "__metadata__") {
      ROADTUNE_TRY(header.metadata, readMetadata(entry, where));
      continue;
    }
    ROADTUNE_TRY(PlacedTensor tensor, readEntry(name, entry, dataBytes, where));
    placed.push_back(std::move(tensor));
  }
  ROADTUNE_CHECK(checkCoverage(placed, dataBytes, where));
  const bool whole = start.size() >= fileSize;
  for (PlacedTensor& tensor : placed) {
    if (whole) tensor.view.bytes = start.subspan(header.headerBytes + tensor.begin, tensor.end - tensor.begin);
    header.tensors.push_back(std::move(tensor.view));
  }
  return header;
}

}  // namespace roadtune::model
