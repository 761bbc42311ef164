// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <utility>

namespace fake_cuda {

// Rows [all, heads, width] of several examples; example i begins at ends[i].
struct Packed {
  at::Tensor rows, ends;
};

// What torch's flash attention promises, on the CPU: results and the logarithms of sums [heads, all].
std::pair<at::Tensor, at::Tensor> attention(const Packed& q, const Packed& k, const at::Tensor& v, bool causal,
                                            double scale);
std::array<at::Tensor, 3> attentionGradients(const at::Tensor& gradient, const Packed& q, const Packed& k,
                                             const at::Tensor& v, const at::Tensor& out, const at::Tensor& logSum,
                                             bool causal, double scale);

}  // namespace fake_cuda
