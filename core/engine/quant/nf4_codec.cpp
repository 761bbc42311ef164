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

}  // namespace

const std::array<float, 16>& nf4Map() {
  static const auto map = std::to_array(cuda::kNf4Values);
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
  std::vector<float> centred(scales.begin(), scales.end());
  for (float& scale : centred) scale -= result.offset;
  result.codes.resize(scales.size());
  result.absmax.resize((scales.size() + kByteBlock - 1) / kByteBlock);
  quantiseBytes(signedByteMap(), centred, result.codes, result.absmax);
  return result;
}

void dequantiseScales(std::span<const std::uint8_t> codes, std::span<const float> absmax, float offset,
                      std::span<float> scales) {
  dequantiseBytes(signedByteMap(), codes, absmax, scales);
  for (float& scale : scales) scale += offset;
}

}  // namespace roadtune::engine
