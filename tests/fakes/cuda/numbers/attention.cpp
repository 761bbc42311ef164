// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <cmath>
#include <limits>

namespace fake_cuda {
namespace {

// One example in float32, heads first. Query i of n sees keys up to i + (keys - n) when causal.
struct Example {
  at::Tensor q, k, v, out, gradient, logSum;  // [heads, rows, width]; logSum [heads, queries, 1]
  at::Tensor weights(double scale, bool causal) {
    auto scores = q.matmul(k.transpose(1, 2)) * scale;
    const auto queries = q.size(1), keys = k.size(1);
    if (causal) {
      const auto query = at::arange(queries).unsqueeze(1), key = at::arange(keys).unsqueeze(0);
      scores.masked_fill_(key > query + (keys - queries), -std::numeric_limits<double>::infinity());
    }
    if (!logSum.defined()) logSum = scores.logsumexp(-1, true);
    return (scores - logSum).exp();
  }
};

at::Tensor rowsOf(const at::Tensor& x, std::int64_t begin, std::int64_t end, std::int64_t copies = 1) {
  return x.slice(0, begin, end).transpose(0, 1).to(at::kFloat).repeat_interleave(copies, 0);
}

template <class Work>
void forEach(const Packed& q, const Packed& k, Work&& work) {
  const auto ends = q.ends.to(at::kLong), keyEnds = k.ends.to(at::kLong);
  for (std::int64_t i = 0; i + 1 < ends.numel(); ++i) {
    const auto at = [i](const at::Tensor& x, int more) { return x.const_data_ptr<std::int64_t>()[i + more]; };
    if (at(ends, 1) > at(ends, 0)) work(at(ends, 0), at(ends, 1), at(keyEnds, 0), at(keyEnds, 1));
  }
}

}  // namespace

std::pair<at::Tensor, at::Tensor> attention(const Packed& q, const Packed& k, const at::Tensor& v, bool causal,
                                            double scale) {
  const auto copies = q.rows.size(1) / k.rows.size(1);
  auto out = at::zeros_like(q.rows);
  auto logSum = at::zeros({q.rows.size(1), q.rows.size(0)}, at::kFloat);
  forEach(q, k, [&](auto begin, auto end, auto first, auto last) {
    Example one{
        .q = rowsOf(q.rows, begin, end), .k = rowsOf(k.rows, first, last, copies), .v = rowsOf(v, first, last, copies)};
    const auto weights = one.weights(scale, causal);
    out.slice(0, begin, end).copy_(weights.matmul(one.v).transpose(0, 1));
    logSum.slice(1, begin, end).copy_(one.logSum.squeeze(-1));
  });
  return {out, logSum};
}

std::array<at::Tensor, 3> attentionGradients(const at::Tensor& gradient, const Packed& q, const Packed& k,
                                             const at::Tensor& v, const at::Tensor& out, const at::Tensor& logSum,
                                             bool causal, double scale) {
  const auto kept = k.rows.size(1), copies = q.rows.size(1) / kept;
  std::array all{at::zeros_like(q.rows), at::zeros_like(k.rows), at::zeros_like(v)};
  const auto summed = [&](const at::Tensor& x) {
    return x.reshape({kept, copies, x.size(1), x.size(2)}).sum(1).transpose(0, 1);
  };
  forEach(q, k, [&](auto begin, auto end, auto first, auto last) {
    Example one{rowsOf(q.rows, begin, end),     rowsOf(k.rows, first, last, copies),
                rowsOf(v, first, last, copies), rowsOf(out, begin, end),
                rowsOf(gradient, begin, end),   logSum.slice(1, begin, end).unsqueeze(-1)};
    const auto weights = one.weights(scale, causal);
    const auto ofWeights = one.gradient.matmul(one.v.transpose(1, 2));
    const auto ofScores = weights * (ofWeights - (one.gradient * one.out).sum(-1, true)) * scale;
    all[0].slice(0, begin, end).copy_(ofScores.matmul(one.k).transpose(0, 1));
    all[1].slice(0, first, last).copy_(summed(ofScores.transpose(1, 2).matmul(one.q)));
    all[2].slice(0, first, last).copy_(summed(weights.transpose(1, 2).matmul(one.gradient)));
  });
  return all;
}

}  // namespace fake_cuda
