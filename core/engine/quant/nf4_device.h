// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/quant/nf4_weight.h"

namespace roadtune::engine {

// What Nf4Weight does where its parts lie on a GPU: with the plugin's kernels, or with plain torch without them.
at::Tensor dequantisedOnDevice(const Nf4Weight& weight, at::ScalarType type);

// x Wᵀ straight from the codes, where that pays: for at most kFewRows rows, as when tokens are generated one by one.
// Undefined elsewhere: unpack the weight first.
//
// Unpacked first, a bfloat16 weight is written and read again, seven times the bytes of its codes and scales; straight
// from the codes these are read once, but the product is made without tensor cores. On an H200 four rows take as long
// either way, eight half as long again (tests/bench/gpu, nf4Product).
constexpr std::int64_t kFewRows = 4;
at::Tensor fewRowsProduct(const Nf4Weight& weight, const at::Tensor& x);

}  // namespace roadtune::engine
