// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

namespace roadtune::engine {

// A running mean of AdamW, of every value of a buffer: in float32, or in bytes with a scale per block of 256.
struct Moment {
  at::Tensor values = {};            // float32 or uint8
  at::Tensor scales = {}, map = {};  // of bytes: float32 [blocks], and what they mean, float32 [256]

  static Moment zeros(std::int64_t count, bool inBytes, bool withSign, const at::Device& device);
  bool inBytes() const { return scales.defined(); }
  // Views; bytes begin at a block.
  Moment narrow(std::int64_t begin, std::int64_t count) const;
  void set(const at::Tensor& values);  // from float32
};

// What bytes mean in float32; on the CPU. The first one is that many values behind the beginning of its block.
at::Tensor momentFromBytes(const at::Tensor& bytes, const at::Tensor& scales, std::int64_t inBlock, bool withSign);

// So many scales belong to so many values.
std::int64_t scalesFor(std::int64_t count);

}  // namespace roadtune::engine
