// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/tensor_bytes.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <cstring>
#include <utility>

namespace roadtune::engine {

std::optional<at::ScalarType> scalarType(model::Dtype dtype) {
  switch (dtype) {
    case model::Dtype::F32: return at::kFloat;
    case model::Dtype::BF16: return at::kBFloat16;
    case model::Dtype::F16: return at::kHalf;
    case model::Dtype::F64: return at::kDouble;
    case model::Dtype::I64: return at::kLong;
    case model::Dtype::I32: return at::kInt;
    case model::Dtype::U8: return at::kByte;
    case model::Dtype::Bool: return at::kBool;
    default: return std::nullopt;
  }
}

model::Dtype dtypeOf(at::ScalarType type) {
  switch (type) {
    case at::kBFloat16: return model::Dtype::BF16;
    case at::kHalf: return model::Dtype::F16;
    case at::kDouble: return model::Dtype::F64;
    case at::kLong: return model::Dtype::I64;
    case at::kInt: return model::Dtype::I32;
    case at::kByte: return model::Dtype::U8;
    case at::kBool: return model::Dtype::Bool;
    default: return model::Dtype::F32;
  }
}

at::Tensor tensorFrom(const model::TensorView& view, std::optional<at::ScalarType> type) {
  auto tensor = at::empty(view.shape, at::TensorOptions().dtype(scalarType(view.dtype).value_or(at::kByte)));
  if (!view.bytes.empty()) std::memcpy(tensor.data_ptr(), view.bytes.data(), view.bytes.size());
  return type ? tensor.to(*type) : tensor;
}

at::Tensor lentTensor(const model::TensorView& view, std::shared_ptr<const void> owner) {
  const auto type = scalarType(view.dtype).value_or(at::kByte);
  const auto* bytes = view.bytes.data();
  if (view.bytes.empty() || reinterpret_cast<std::uintptr_t>(bytes) % c10::elementSize(type) != 0)
    return tensorFrom(view);
  const auto keep = [owner = std::move(owner)](void*) {};
  return at::from_blob(const_cast<std::uint8_t*>(bytes), view.shape, keep, at::TensorOptions().dtype(type));
}

std::span<const std::uint8_t> bytesOf(const at::Tensor& tensor) {
  return {static_cast<const std::uint8_t*>(tensor.data_ptr()),
          static_cast<std::size_t>(tensor.numel()) * tensor.element_size()};
}

at::Tensor plain(const at::Tensor& tensor, at::ScalarType type) {
  return tensor.detach().to(type).to(at::kCPU).contiguous();  // rounded there: fewer bytes to fetch
}

}  // namespace roadtune::engine
