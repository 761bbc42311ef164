// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/gemma.h"

#include "core/engine/attention/attention.h"
#include "core/engine/attention/heads.h"
#include "core/engine/lora/gated.h"
#include "core/engine/lora/together.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/packed_rows.h"
#include "core/engine/nn/recompute.h"

namespace roadtune::engine {

at::Tensor GemmaLayer::attention(const at::Tensor& normed, const RopeTable& rope, const at::Tensor& mask,
                                 const ForwardContext& context, KvCache::Layer* cache) const {
  const auto* packed = context.packed.get();
  const auto projected = forwardTogether({q, k, v}, normed, context);
  if (packed && !mask.defined()) return o->forward(attentionOfRows(projected, rope, *packed), context);
  const auto query = splitHeads(projected[0], heads, packed, &rope);
  auto key = splitHeads(projected[1], kvHeads, packed, &rope);
  auto value = splitHeads(projected[2], kvHeads, packed);
  if (cache) {
    if (cache->keys.defined()) {
      key = at::cat({cache->keys, key}, 2);
      value = at::cat({cache->values, value}, 2);
    }
    cache->keys = key;
    cache->values = value;
  }
  const auto attended = attend(query, key, value, mask, scale, context.numerics.attentionCap ? cap : 0.0);
  return o->forward(joinHeads(attended, packed), context);
}

at::Tensor GemmaLayer::attentionOfRows(const std::vector<at::Tensor>& projected, const RopeTable& rope,
                                       const PackedRows& packed) const {
  const auto rows = projected[0].size(0);
  const auto turned = [&](const at::Tensor& x, std::int64_t count) {
    return applyRopeToRows(x.view({rows, count, headDim}), rope);
  };
  const auto attended = attendRows(turned(projected[0], heads), turned(projected[1], kvHeads),
                                   projected[2].view({rows, kvHeads, headDim}), packed.prefixes, scale);
  return attended.view({rows, heads * headDim});
}

at::Tensor GemmaLayer::attentionOfAsked(const at::Tensor& normed, const RopeTable& rope, const at::Tensor& mask,
                                        const ForwardContext& context, const AskedRows& asked) const {
  const auto& packed = *context.packed;
  const auto projected = forwardTogether({k, v}, normed, context);
  const auto rowsOf = [&](const at::Tensor& x, std::int64_t count) { return x.view({x.size(0), count, headDim}); };
  const auto alone = asked.alone(context);
  const auto query = applyRopeToRows(rowsOf(q->forward(asked.of(normed), alone), heads),
                                     rope.ofRows(mask.defined() ? asked.columns() : asked.rows));
  if (!mask.defined()) {
    const auto attended = attendRows(query, applyRopeToRows(rowsOf(projected[0], kvHeads), rope),
                                     rowsOf(projected[1], kvHeads), asked.prefixes, scale);
    return o->forward(attended.view({query.size(0), heads * headDim}), alone);
  }
  const auto queries = asked.spread(query.reshape({query.size(0), heads * headDim}));
  const auto attended =
      attend(splitHeads(queries, heads), splitHeads(projected[0], kvHeads, &packed, &rope),
             splitHeads(projected[1], kvHeads, &packed), mask, scale, context.numerics.attentionCap ? cap : 0.0);
  return o->forward(asked.gathered(joinHeads(attended)), alone);
}

at::Tensor GemmaLayer::mlp(const at::Tensor& normed, const ForwardContext& context) const {
  const auto both = forwardTogether({gate, up}, normed, context);
  if (context.lastProduct) context.lastProduct->needed = postMlp.has_value();
  return forwardGated(*down, both[0], both[1], activation, context);
}

at::Tensor GemmaLayer::forward(const at::Tensor& x, const RopeTable& rope, const at::Tensor& mask,
                               const ForwardContext& context, KvCache::Layer* cache, const AskedRows* asked) const {
  const auto [all, ready] = inputNorm.beside(x);
  const auto entering = asked ? asked->of(all) : all;
  auto attended =
      asked ? attentionOfAsked(ready, rope, mask, context, *asked) : attention(ready, rope, mask, context, cache);
  if (preMlp) attended = postAttentionNorm.forward(attended);
  const auto [middle, normed] = (preMlp ? *preMlp : postAttentionNorm).ofSum(entering, attended);
  auto fed = mlp(normed, asked ? asked->alone(context) : context);
  if (postMlp) fed = postMlp->forward(fed);
  return middle + fed;
}

bool GemmaLayer::trains() const {
  if (inputNorm.weight->trainable || postAttentionNorm.weight->trainable) return true;
  if (preMlp && (preMlp->weight->trainable || postMlp->weight->trainable)) return true;
  for (const auto* linear : {q, k, v, o, gate, up, down})
    if (linear->trains()) return true;
  return false;
}

}  // namespace roadtune::engine
