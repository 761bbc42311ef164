// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <cstdint>

namespace roadtune::model {

// AdamW's two moments in 8 bits, as bitsandbytes keeps them: a byte per value, and a float32 per block of values. Small
// tensors and tables of embeddings, most of whose gradients are rare, stay in float32.
inline constexpr std::int64_t kMomentBlock = 256, kSmallestInBytes = 4096;

inline bool momentsInBytes(const Module& module, const Tensor& tensor) {
  const bool table = module.kind == ModuleKind::Embedding || module.kind == ModuleKind::PositionTable;
  return tensor.elements() >= kSmallestInBytes && !(table && tensor.role == TensorRole::Base);
}

// Bytes of both moments of one tensor.
inline std::uint64_t momentBytes(std::int64_t elements, bool inBytes) {
  const auto count = static_cast<std::uint64_t>(elements), block = static_cast<std::uint64_t>(kMomentBlock);
  return inBytes ? 2 * (count + (count + block - 1) / block * sizeof(float)) : 8 * count;
}

}  // namespace roadtune::model
