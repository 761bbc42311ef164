// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/quant/nf4_codec.h"

#include "core/engine/cuda/rows/nf4_rows.h"

#include <algorithm>
#include <cmath>

namespace roadtune::engine {
namespace {

float largest(std::span<const float> values) {
  float result = 0;
  for (const float value : values) result = std::max(result, std::fabs(value));
  return result;
}

// Ten to the power of i - 6 times the midpoints of 2^i equal parts of [0.1, 1], both signs, and 0 and 1.
std::array<float, 256> makeByteMap() {
  std::array<float, 256> map{};
  std::size_t count = 0;
  for (int i = 0; i < 7; ++i) {
    const int parts = 1 << i;
    const float step = (1.0f - 0.1f) / static_cast<float>(parts);
    const auto edge = [&](int k) {
      return k < (parts + 1) / 2 ? 0.1f + step * static_cast<float>(k) : 1.0f - step * static_cast<float>(parts - k);
    };
    for (int k = 0; k < parts; ++k) {
      const float middle = (edge(k) + edge(k + 1)) / 2.0f;
      const float value = static_cast<float>(std::pow(10.0, i - 6)) * middle;
      map[count++] = value;
      map[count++] = -value;
    }
  }
  map[count++] = 0.0f;
  map[count++] = 1.0f;
  std::sort(map.begin(), map.end());
  return map;
}

std::uint8_t nearestByte(float value) {
  const auto& map = signedByteMap();
  const auto above = std::lower_bound(map.begin(), map.end(), value);
  if (above == map.begin()) return 0;
  if (above == map.end()) return 255;
  const auto below = above - 1;
  return static_cast<std::uint8_t>((*above - value < value - *below ? above : below) - map.begin());
}

}  // namespace

const std::array<float, 16>& nf4Map() {
  static const auto map = std::to_array(cuda::kNf4Values);
  return map;
}

const std::array<float, 256>& signedByteMap() {
  static const auto map = makeByteMap();
  return map;
}

void quantiseNf4(std::span<const float> values, std::span<std::uint8_t> codes, std::span<float> absmax) {
  std::fill(codes.begin(), codes.end(), std::uint8_t{0});
  for (std::size_t block = 0; block * kNf4Block < values.size(); ++block) {
    const auto begin = block * kNf4Block;
    const auto part = values.subspan(begin, std::min(kNf4Block, values.size() - begin));
    absmax[block] = largest(part);
    const float inverse = absmax[block] > 0 ? 1.0f / absmax[block] : 0.0f;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto at = begin + i;
      const int code = cuda::nf4Code(part[i] * inverse);
      codes[at / 2] = static_cast<std::uint8_t>(codes[at / 2] | (at % 2 == 0 ? code << 4 : code));
    }
  }
}

void dequantiseNf4(std::span<const std::uint8_t> codes, std::span<const float> absmax, std::span<float> values) {
  const auto& map = nf4Map();
  for (std::size_t begin = 0; begin < values.size(); begin += kNf4Block) {
    const auto end = std::min(begin + kNf4Block, values.size());
    const float scale = absmax[begin / kNf4Block];
    for (std::size_t i = begin; i < end; ++i) {
      const auto code = i % 2 == 0 ? codes[i / 2] >> 4 : codes[i / 2] & 15;
      values[i] = map[static_cast<std::size_t>(code)] * scale;
    }
  }
}

NestedScales quantiseScales(std::span<const float> scales, std::optional<float> offset) {
  NestedScales result;
  double sum = 0;
  for (const float scale : scales) sum += scale;
  result.offset = offset.value_or(scales.empty() ? 0.0f : static_cast<float>(sum / static_cast<double>(scales.size())));
  result.codes.resize(scales.size());
  for (std::size_t begin = 0; begin < scales.size(); begin += kNestedBlock) {
    std::vector<float> part(
        scales.begin() + static_cast<std::ptrdiff_t>(begin),
        scales.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kNestedBlock, scales.size())));
    for (float& value : part) value -= result.offset;
    result.absmax.push_back(largest(part));
    const float inverse = result.absmax.back() > 0 ? 1.0f / result.absmax.back() : 0.0f;
    for (std::size_t i = 0; i < part.size(); ++i) result.codes[begin + i] = nearestByte(part[i] * inverse);
  }
  return result;
}

void dequantiseScales(std::span<const std::uint8_t> codes, std::span<const float> absmax, float offset,
                      std::span<float> scales) {
  const auto& map = signedByteMap();
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = map[codes[i]] * absmax[i / kNestedBlock] + offset;
}

}  // namespace roadtune::engine
