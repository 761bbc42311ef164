// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attention/prefix_rows.h"

#include "core/engine/nn/ops.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

Ragged raggedOf(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int32_t> ends{0};
  for (const auto length : lengths) ends.push_back(ends.back() + static_cast<std::int32_t>(length));
  return {asTensor(ends), *std::max_element(lengths.begin(), lengths.end())};
}

// Two calls without a gather of all rows: prefixes and suffixes, each by themselves, and then the suffixes once more
// over their whole examples, which replaces what the first call made of them. Its gradients leave the suffixes out,
// by zeros in place of what arrived for them.
struct PrefixAttention : torch::autograd::Function<PrefixAttention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const PrefixRows& rows, double scale) {
    RaggedResult all, late;
    if (rows.anyPrefix()) all = raggedAttention(q, k, v, rows.parts, rows.parts, false, scale);
    auto out = rows.anyPrefix() ? all.out.contiguous() : at::empty(q.sizes(), q.options());
    if (rows.anySuffix()) {
      late = raggedAttention(q.index_select(0, rows.suffix), k, v, rows.suffixes, rows.wholes, true, scale);
      out.index_copy_(0, rows.suffix, late.out);
    }
    context->save_for_backward({q, k, v, out, rows.suffix, rows.parts.ends, rows.suffixes.ends, rows.wholes.ends,
                                all.notes.logSum, all.notes.state, all.notes.rest, late.notes.logSum, late.notes.state,
                                late.notes.rest});
    context->saved_data["longest"] =
        std::vector<std::int64_t>{rows.parts.longest, rows.suffixes.longest, rows.wholes.longest};
    context->saved_data["scale"] = scale;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &q = saved[0], &k = saved[1], &v = saved[2], &out = saved[3];
    const auto longest = context->saved_data["longest"].toIntVector();
    const PrefixRows rows{saved[4], {saved[5], longest[0]}, {saved[6], longest[1]}, {saved[7], longest[2]}};
    const double scale = context->saved_data["scale"].toDouble();
    const auto gradient = gradients[0].contiguous();
    RaggedGradients all, late;
    if (rows.anyPrefix()) {
      const auto ofPrefixes = rows.anySuffix() ? gradient.index_fill(0, rows.suffix, 0) : gradient;
      all = raggedGradients(ofPrefixes, q, k, v, {out, {saved[8], saved[9], saved[10]}}, rows.parts, rows.parts, false,
                            scale);
    }
    if (rows.anySuffix()) {
      const auto taken = [&](const at::Tensor& x) { return x.index_select(0, rows.suffix); };
      late = raggedGradients(taken(gradient), taken(q), k, v, {taken(out), {saved[11], saved[12], saved[13]}},
                             rows.suffixes, rows.wholes, true, scale);
    }
    if (!rows.anySuffix()) return {all.q, all.k, all.v, at::Tensor(), at::Tensor()};
    if (!rows.anyPrefix()) return {late.q, late.k, late.v, at::Tensor(), at::Tensor()};
    return {all.q.index_copy_(0, rows.suffix, late.q), all.k.add_(late.k), all.v.add_(late.v), at::Tensor(),
            at::Tensor()};
  }
};

}  // namespace

std::optional<PrefixRows> prefixRows(const at::Tensor& attentionMask, const at::Tensor& tokenTypes) {
  const auto batch = attentionMask.size(0), length = attentionMask.size(1);
  const auto mask = attentionMask.contiguous(), types = tokenTypes.defined() ? tokenTypes.contiguous() : tokenTypes;
  const auto* sees = mask.const_data_ptr<std::int64_t>();
  const auto* type = types.defined() ? types.const_data_ptr<std::int64_t>() : nullptr;
  std::vector<std::int64_t> suffix, parts, suffixes, wholes;
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < batch; ++i) {
    const auto first = row;
    const auto begin = suffix.size();
    for (std::int64_t at = i * length; at < (i + 1) * length; ++at) {
      if (sees[at] == 0) continue;
      const bool inPrefix = type && type[at] == 0;
      if (inPrefix && suffix.size() > begin) return std::nullopt;
      if (!inPrefix) suffix.push_back(row);
      ++row;
    }
    wholes.push_back(row - first);
    suffixes.push_back(static_cast<std::int64_t>(suffix.size() - begin));
    parts.insert(parts.end(), {wholes.back() - suffixes.back(), suffixes.back()});
  }
  if (row == 0) return std::nullopt;
  PrefixRows rows{asTensor(suffix), raggedOf(parts), raggedOf(suffixes), raggedOf(wholes)};
  if (rows.suffix.numel() == row) rows.parts.longest = 0;
  return rows;
}

PrefixRows lastRows(const std::vector<std::int64_t>& counts, const PrefixRows& all) {
  PrefixRows last;
  last.suffixes = raggedOf(counts);
  last.suffix = at::arange(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), at::kLong);
  last.wholes = all.wholes;
  return last;
}

at::Tensor attendRows(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const PrefixRows& rows,
                      double scale) {
  return PrefixAttention::apply(q, k, v, rows, scale);
}

}  // namespace roadtune::engine
