// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attention/attention.h"

#include "core/engine/cuda/fused_attention.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/packed_rows.h"

#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>

namespace roadtune::engine {
namespace {

// The query heads of one key head are folded into its rows, so keys and values are never repeated.
at::Tensor attendWithCap(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask,
                         double scale, double cap) {
  const auto batch = q.size(0), heads = q.size(1), length = q.size(2), width = q.size(3);
  const auto kvHeads = k.size(1), keys = k.size(2);
  const auto folded = q.reshape({batch, kvHeads, heads / kvHeads * length, width});
  auto scores = at::matmul(folded, k.transpose(2, 3)).view({batch, heads, length, keys}) * scale;
  scores = at::tanh(scores / cap) * cap;
  if (mask.defined()) scores = scores + mask;
  const auto weights = at::softmax(scores, -1, at::kFloat).to(q.scalar_type());
  const auto mixed = at::matmul(weights.view({batch, kvHeads, heads / kvHeads * length, keys}), v);
  return mixed.view({batch, heads, length, width});
}

at::Tensor repeatHeads(const at::Tensor& x, std::int64_t times) {
  if (times == 1) return x;
  const auto batch = x.size(0), heads = x.size(1), length = x.size(2), width = x.size(3);
  return x.unsqueeze(2).expand({batch, heads, times, length, width}).reshape({batch, heads * times, length, width});
}

constexpr std::int64_t kWidestFlashHead = 256;
constexpr double kMostPadding = 1.3;  // of the products over a rectangle of scores

}  // namespace

bool takesRows(const model::TextConfig& text, const model::Numerics& numerics, at::ScalarType type,
               const at::Device& device) {
  if (numerics.attentionCap && text.attentionSoftcap) return false;
  if (!cuda::kernelsFor(at::empty({0}, at::TensorOptions().dtype(type).device(device)))) return false;
  return device.is_cpu() || (type == at::kBFloat16 && text.headDim <= kWidestFlashHead && text.headDim % 8 == 0);
}

bool takesRows(const PackedRows& packed, std::int64_t longest) {
  if (!packed.prefixes.defined()) return false;
  const auto tokens = static_cast<double>(packed.places.size(0)), batch = static_cast<double>(packed.batch);
  const auto length = static_cast<double>(packed.length);
  return packed.length > longest || batch * length * length > kMostPadding * tokens * tokens / batch;
}

at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, double scale,
                  double cap) {
  // Whole score matrices: with a cap there is no other way, and short ones are the fastest.
  const bool dense = cap > 0 || (mask.defined() && k.size(2) <= model::kLongestRectangle);
  const auto* kernels = dense ? cuda::kernelsFor(q) : nullptr;
  if (kernels) return cuda::attendDense(*kernels, q, k, v, mask, scale, cap);
  if (cap > 0) return attendWithCap(q, k, v, mask, scale, cap);
  const auto times = q.size(1) / k.size(1);
  const auto maskArgument = mask.defined() ? std::optional<at::Tensor>(mask) : std::nullopt;
  return at::scaled_dot_product_attention(q, repeatHeads(k, times), repeatHeads(v, times), maskArgument, 0.0, false,
                                          scale);
}

}  // namespace roadtune::engine
