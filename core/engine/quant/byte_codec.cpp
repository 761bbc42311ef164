// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/quant/byte_codec.h"

#include "core/engine/cuda/rows/moment_rows.h"

#include <algorithm>
#include <cmath>

namespace roadtune::engine {
namespace {

// Ten to the power of i - 6 times the midpoints of equal parts of [0.1, 1], and 0 and 1. With signs 2^i parts, each
// midpoint with both; without, twice as many.
ByteMap makeMap(bool withSigns) {
  ByteMap map{};
  std::size_t count = 0;
  for (int i = 0; i < 7; ++i) {
    const int parts = withSigns ? 1 << i : 2 << i;
    const float step = (1.0f - 0.1f) / static_cast<float>(parts);
    const auto edge = [&](int k) {
      return k < (parts + 1) / 2 ? 0.1f + step * static_cast<float>(k) : 1.0f - step * static_cast<float>(parts - k);
    };
    for (int k = 0; k < parts; ++k) {
      const float middle = (edge(k) + edge(k + 1)) / 2.0f;
      const float value = static_cast<float>(std::pow(10.0, i - 6)) * middle;
      map[count++] = value;
      if (withSigns) map[count++] = -value;
    }
  }
  map[count++] = 0.0f;
  map[count++] = 1.0f;
  std::sort(map.begin(), map.end());
  return map;
}

}  // namespace

const ByteMap& signedByteMap() {
  static const auto map = makeMap(true);
  return map;
}

const ByteMap& unsignedByteMap() {
  static const auto map = makeMap(false);
  return map;
}

void quantiseBytes(const ByteMap& map, std::span<const float> values, std::span<std::uint8_t> codes,
                   std::span<float> absmax) {
  for (std::size_t begin = 0; begin < values.size(); begin += kByteBlock) {
    const auto part = values.subspan(begin, std::min(kByteBlock, values.size() - begin));
    float highest = 0;
    for (const float value : part) highest = std::max(highest, std::fabs(value));
    absmax[begin / kByteBlock] = highest;
    const float inverse = highest > 0 ? 1.0f / highest : 0.0f;
    for (std::size_t i = 0; i < part.size(); ++i) codes[begin + i] = cuda::nearestByte(map.data(), part[i] * inverse);
  }
}

void dequantiseBytes(const ByteMap& map, std::span<const std::uint8_t> codes, std::span<const float> absmax,
                     std::span<float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = map[codes[i]] * absmax[i / kByteBlock];
}

}  // namespace roadtune::engine
