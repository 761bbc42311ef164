// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attention/ragged.h"

#include "core/engine/nn/ops.h"

#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/logsumexp.h>

#include <algorithm>
#include <limits>

namespace roadtune::engine {
namespace {

// One example in float32 with its heads first; keys and values once for each query head.
struct Example {
  std::int64_t firstQuery, queries, firstKey, keys, heads, kvHeads;

  at::Tensor ofQueries(const at::Tensor& x) const {
    return x.narrow(0, firstQuery, queries).transpose(0, 1).to(at::kFloat);
  }
  at::Tensor ofKeys(const at::Tensor& x) const {
    const auto one = x.narrow(0, firstKey, keys).transpose(0, 1).to(at::kFloat);
    return one.repeat_interleave(heads / kvHeads, 0);
  }
  at::Tensor summedOverQueryHeads(const at::Tensor& x) const {
    return x.view({kvHeads, heads / kvHeads, keys, x.size(-1)}).sum(1).transpose(0, 1);
  }
  at::Tensor scores(const at::Tensor& q, const at::Tensor& k, bool causal, double scale) const {
    auto all = at::matmul(ofQueries(q), ofKeys(k).transpose(1, 2)) * scale;
    if (!causal) return all;
    const auto hidden = at::ones({queries, keys}, all.options().dtype(at::kBool)).triu(keys - queries + 1);
    return all.masked_fill_(hidden, -std::numeric_limits<float>::infinity());
  }
};

template <class Use>
void forEachExample(const at::Tensor& q, const at::Tensor& k, const Ragged& queries, const Ragged& keys, Use use) {
  const auto *ends = queries.ends.const_data_ptr<std::int32_t>(), *keyEnds = keys.ends.const_data_ptr<std::int32_t>();
  for (std::int64_t i = 0; i + 1 < queries.ends.numel(); ++i)
    if (ends[i + 1] > ends[i])
      use(Example{ends[i], ends[i + 1] - ends[i], keyEnds[i], keyEnds[i + 1] - keyEnds[i], q.size(1), k.size(1)});
}

RaggedResult plainAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Ragged& queries,
                            const Ragged& keys, bool causal, double scale) {
  RaggedResult result{at::empty(q.sizes(), q.options()), {at::empty({q.size(1), q.size(0)}, at::kFloat), {}, {}}};
  forEachExample(q, k, queries, keys, [&](const Example& one) {
    const auto scores = one.scores(q, k, causal, scale);
    const auto logSum = at::logsumexp(scores, -1);
    result.notes.logSum.narrow(1, one.firstQuery, one.queries).copy_(logSum);
    const auto mixed = at::matmul((scores - logSum.unsqueeze(-1)).exp(), one.ofKeys(v));
    result.out.narrow(0, one.firstQuery, one.queries).copy_(mixed.transpose(0, 1));
  });
  return result;
}

RaggedGradients plainGradients(const at::Tensor& gradient, const at::Tensor& q, const at::Tensor& k,
                               const at::Tensor& v, const RaggedResult& result, const Ragged& queries,
                               const Ragged& keys, bool causal, double scale) {
  RaggedGradients all{at::zeros(q.sizes(), q.options()), at::zeros(k.sizes(), k.options()),
                      at::zeros(v.sizes(), v.options())};
  forEachExample(q, k, queries, keys, [&](const Example& one) {
    const auto logSum = result.notes.logSum.narrow(1, one.firstQuery, one.queries).unsqueeze(-1);
    const auto weights = (one.scores(q, k, causal, scale) - logSum).exp();
    const auto slope = one.ofQueries(gradient);
    const auto towards = at::matmul(slope, one.ofKeys(v).transpose(1, 2));
    const auto along = (slope * one.ofQueries(result.out)).sum(-1, true);
    const auto ofScores = weights * (towards - along) * scale;
    all.q.narrow(0, one.firstQuery, one.queries).copy_(at::matmul(ofScores, one.ofKeys(k)).transpose(0, 1));
    all.k.narrow(0, one.firstKey, one.keys)
        .copy_(one.summedOverQueryHeads(at::matmul(ofScores.transpose(1, 2), one.ofQueries(q))));
    all.v.narrow(0, one.firstKey, one.keys).copy_(one.summedOverQueryHeads(at::matmul(weights.transpose(1, 2), slope)));
  });
  return all;
}

// The kernels' bound on the rows of an example. At one row they would take a way of their own, for which every example
// must have just that one.
std::int64_t boundOf(const Ragged& queries) { return std::max<std::int64_t>(queries.longest, 2); }

}  // namespace

RaggedResult raggedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Ragged& queries,
                             const Ragged& keys, bool causal, double scale) {
  if (q.is_cpu()) return plainAttention(q, k, v, queries, keys, causal, scale);
  auto [out, logSum, state, rest, unused] = at::_flash_attention_forward(
      q, k, v, queries.ends, keys.ends, boundOf(queries), keys.longest, 0.0, causal, false, scale);
  return {out, {logSum, state, rest}};
}

RaggedGradients raggedGradients(const at::Tensor& gradient, const at::Tensor& q, const at::Tensor& k,
                                const at::Tensor& v, const RaggedResult& result, const Ragged& queries,
                                const Ragged& keys, bool causal, double scale) {
  if (q.is_cpu()) return plainGradients(gradient, q, k, v, result, queries, keys, causal, scale);
  auto [forQ, forK, forV] = at::_flash_attention_backward(gradient, q, k, v, result.out, result.notes.logSum,
                                                          queries.ends, keys.ends, boundOf(queries), keys.longest, 0.0,
                                                          causal, result.notes.state, result.notes.rest, scale);
  return {forQ, forK, forV};
}

}  // namespace roadtune::engine
