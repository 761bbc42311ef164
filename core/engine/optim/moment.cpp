// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/optim/moment.h"

#include "core/engine/cuda/rows/moment_rows.h"
#include "core/engine/nn/ops.h"
#include "core/engine/quant/byte_codec.h"
#include "core/model/moments.h"

#include <algorithm>

namespace roadtune::engine {
namespace {

static_assert(model::kMomentBlock == kByteBlock);

const ByteMap& mapOf(bool withSign) { return withSign ? signedByteMap() : unsignedByteMap(); }

template <class T>
std::span<T> spanOf(const at::Tensor& tensor) {  // contiguous
  return {static_cast<T*>(tensor.data_ptr()), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

std::int64_t scalesFor(std::int64_t count) { return (count + model::kMomentBlock - 1) / model::kMomentBlock; }

Moment Moment::zeros(std::int64_t count, bool inBytes, bool withSign, const at::Device& device) {
  const auto options = at::TensorOptions().dtype(at::kFloat).device(device);
  if (!inBytes) return {at::zeros({count}, options)};
  const auto map = at::empty({256}, at::TensorOptions().dtype(at::kFloat));
  std::copy(mapOf(withSign).begin(), mapOf(withSign).end(), map.data_ptr<float>());
  // Zero whatever the scale: a block may end in values of nobody, which nothing sets.
  const auto nothing = static_cast<int>(cuda::nearestByte(mapOf(withSign).data(), 0.0f));
  return {at::full({count}, nothing, options.dtype(at::kByte)), at::zeros({scalesFor(count)}, options), map.to(device)};
}

Moment Moment::narrow(std::int64_t begin, std::int64_t count) const {
  if (!inBytes()) return {values.narrow(0, begin, count)};
  return {values.narrow(0, begin, count), scales.narrow(0, begin / model::kMomentBlock, scalesFor(count)), map};
}

void Moment::set(const at::Tensor& from) {
  if (!inBytes()) {
    values.copy_(from);
    return;
  }
  const auto plain = from.to(at::kCPU, at::kFloat).contiguous(), key = map.to(at::kCPU);
  const auto bytes = at::empty(values.sizes(), at::TensorOptions().dtype(at::kByte));
  const auto found = at::empty(scales.sizes(), at::TensorOptions().dtype(at::kFloat));
  ByteMap entries{};
  std::copy_n(key.const_data_ptr<float>(), entries.size(), entries.begin());
  quantiseBytes(entries, spanOf<const float>(plain), spanOf<std::uint8_t>(bytes), spanOf<float>(found));
  values.copy_(bytes);
  scales.copy_(found);
}

at::Tensor momentFromBytes(const at::Tensor& bytes, const at::Tensor& scales, std::int64_t inBlock, bool withSign) {
  const auto values = at::empty(bytes.sizes(), at::TensorOptions().dtype(at::kFloat));
  const auto codes = spanOf<const std::uint8_t>(bytes);
  const auto out = spanOf<float>(values);
  const auto head = std::min(out.size(), inBlock == 0 ? 0 : kByteBlock - static_cast<std::size_t>(inBlock));
  const auto steps = spanOf<const float>(scales);
  dequantiseBytes(mapOf(withSign), codes.first(head), steps, out.first(head));
  dequantiseBytes(mapOf(withSign), codes.subspan(head), steps.subspan(head > 0 ? 1 : 0), out.subspan(head));
  return values;
}

}  // namespace roadtune::engine
