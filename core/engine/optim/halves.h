// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

namespace roadtune::engine {

// Float32 values kept in two halves of 16 bits (cuda/rows/halves.h): `upper` is bfloat16, what the model computes with,
// `lower` int16. Contiguous, of one shape and on one device.

at::Tensor joined(const at::Tensor& upper, const at::Tensor& lower);
void split(const at::Tensor& values, at::Tensor upper, at::Tensor lower);  // values from anywhere, of any type

}  // namespace roadtune::engine
