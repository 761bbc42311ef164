// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace roadtune::engine {

// Examples of unequal lengths, their rows one after the other.
struct Ragged {
  at::Tensor ends;           // int32 [examples + 1]: 0, and where each example ends
  std::int64_t longest = 0;  // rows of the longest example
};

// What the backward pass needs besides the inputs and the result.
struct RaggedNotes {
  at::Tensor logSum, state, rest;
};

struct RaggedResult {
  at::Tensor out;  // [queries, heads, d]
  RaggedNotes notes;
};

struct RaggedGradients {
  at::Tensor q, k, v;
};

// Attention within each example, without a mask: q [queries, heads, d], k and v [keys, kvHeads, d]. Causal means that
// the last query of an example sees all its keys, the one before all but the last, and so on. On a GPU torch's flash
// kernels (16-bit types, d up to 256); on the CPU plain operators, example by example, as the reference.
RaggedResult raggedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Ragged& queries,
                             const Ragged& keys, bool causal, double scale);

RaggedGradients raggedGradients(const at::Tensor& gradient, const at::Tensor& q, const at::Tensor& k,
                                const at::Tensor& v, const RaggedResult& result, const Ragged& queries,
                                const Ragged& keys, bool causal, double scale);

}  // namespace roadtune::engine
