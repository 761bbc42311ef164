// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attention/mask.h"

#include "core/engine/nn/ops.h"

#include <limits>

namespace roadtune::engine {
namespace {

double lowest(at::ScalarType type) {
  if (type == at::kHalf) return -65504.0;
  if (type == at::kBFloat16) return -3.3895313892515355e38;
  return std::numeric_limits<float>::lowest();
}

at::Tensor additive(const at::Tensor& allowed, at::ScalarType type) {
  const auto options = at::TensorOptions().dtype(type).device(allowed.device());
  return at::zeros(allowed.sizes(), options).masked_fill_(allowed.logical_not(), lowest(type)).unsqueeze(1);
}

}  // namespace

bool windowSlides(std::int64_t window, std::int64_t length, const model::Numerics& numerics) {
  return window > 0 && window < length && numerics.window != model::Numerics::Window::Off;
}

AttentionMasks prefixMasks(const at::Tensor& attentionMask, const at::Tensor& tokenTypes, std::int64_t window,
                           const model::Numerics& numerics, at::ScalarType type) {
  const c10::NoGradGuard noGrad;
  const auto length = attentionMask.size(1);
  const auto index = at::arange(length, attentionMask.options());
  const auto distance = index.unsqueeze(1) - index.unsqueeze(0);  // query - key
  const auto seen = attentionMask.ne(0).unsqueeze(1);
  const auto causal = distance.ge(0).unsqueeze(0);

  at::Tensor prefix;
  if (tokenTypes.defined()) {
    const auto inPrefix = tokenTypes.eq(0);
    prefix = inPrefix.unsqueeze(2).logical_and(inPrefix.unsqueeze(1));
  }
  const auto orPrefix = [&](const at::Tensor& mask) { return prefix.defined() ? mask.logical_or(prefix) : mask; };

  AttentionMasks masks;
  masks.full = additive(orPrefix(causal).logical_and(seen), type);
  masks.sliding = masks.full;
  if (windowSlides(window, length, numerics)) {
    const auto near = distance.lt(window).unsqueeze(0);
    const auto allowed = numerics.window == model::Numerics::Window::PrefixExempt ? orPrefix(causal.logical_and(near))
                                                                                  : orPrefix(causal).logical_and(near);
    masks.sliding = additive(allowed.logical_and(seen), type);
  }
  return masks;
}

}  // namespace roadtune::engine
