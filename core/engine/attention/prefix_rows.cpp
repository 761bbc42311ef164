// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attention/prefix_rows.h"

#include "core/engine/nn/ops.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <vector>

namespace roadtune::engine {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class T>
at::Tensor asTensor(const std::vector<T>& values, at::ScalarType type) {
  auto tensor = at::empty({static_cast<std::int64_t>(values.size())}, type);
  std::copy(values.begin(), values.end(), tensor.data_ptr<T>());
  return tensor;
}

Ragged raggedOf(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int32_t> ends{0};
  for (const auto length : lengths) ends.push_back(ends.back() + static_cast<std::int32_t>(length));
  return {asTensor(ends, at::kInt), *std::max_element(lengths.begin(), lengths.end())};
}

// One of the two calls: `queries` are some rows of all, keys are those rows too or all of them.
struct Call {
  const at::Tensor& rows;
  const Ragged& queries;
  const Ragged& keys;
  bool causal;

  bool empty() const { return queries.longest == 0; }
  at::Tensor taken(const at::Tensor& x) const { return x.index_select(0, rows); }
  at::Tensor keysOf(const at::Tensor& x) const { return causal ? x : taken(x); }
};

Call prefixCall(const PrefixRows& rows) { return {rows.prefix, rows.prefixes, rows.prefixes, false}; }
Call suffixCall(const PrefixRows& rows) { return {rows.suffix, rows.suffixes, rows.wholes, true}; }

struct PrefixAttention : torch::autograd::Function<PrefixAttention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                            const PrefixRows& rows, double scale) {
    auto out = at::empty(q.sizes(), q.options());
    const auto attended = [&](const Call& call) {
      if (call.empty()) return RaggedNotes{};
      const auto result =
          raggedAttention(call.taken(q), call.keysOf(k), call.keysOf(v), call.queries, call.keys, call.causal, scale);
      out.index_copy_(0, call.rows, result.out);
      return result.notes;
    };
    const auto prefix = attended(prefixCall(rows)), suffix = attended(suffixCall(rows));
    context->save_for_backward({q, k, v, out, rows.prefix, rows.suffix, rows.prefixes.ends, rows.suffixes.ends,
                                rows.wholes.ends, prefix.logSum, prefix.state, prefix.rest, suffix.logSum, suffix.state,
                                suffix.rest});
    context->saved_data["longest"] =
        std::vector<std::int64_t>{rows.prefixes.longest, rows.suffixes.longest, rows.wholes.longest};
    context->saved_data["scale"] = scale;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto &q = saved[0], &k = saved[1], &v = saved[2], &out = saved[3];
    const auto longest = context->saved_data["longest"].toIntVector();
    const PrefixRows rows{saved[4], saved[5], {saved[6], longest[0]}, {saved[7], longest[1]}, {saved[8], longest[2]}};
    const double scale = context->saved_data["scale"].toDouble();
    const auto gradient = gradients[0].contiguous();
    RaggedGradients all{at::empty(q.sizes(), q.options()), at::zeros(k.sizes(), k.options()),
                        at::zeros(v.sizes(), v.options())};
    const auto ofCall = [&](const Call& call, std::size_t notes) {
      const RaggedResult result{call.taken(out), {saved[notes], saved[notes + 1], saved[notes + 2]}};
      auto found = raggedGradients(call.taken(gradient), call.taken(q), call.keysOf(k), call.keysOf(v), result,
                                   call.queries, call.keys, call.causal, scale);
      all.q.index_copy_(0, call.rows, found.q);
      return found;
    };
    if (const Call call = suffixCall(rows); !call.empty()) {  // its keys are all rows
      const auto found = ofCall(call, 12);
      all.k = found.k;
      all.v = found.v;
    }
    if (const Call call = prefixCall(rows); !call.empty()) {
      const auto found = ofCall(call, 9);
      all.k.index_add_(0, call.rows, found.k);
      all.v.index_add_(0, call.rows, found.v);
    }
    return {all.q, all.k, all.v, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

std::optional<PrefixRows> prefixRows(const at::Tensor& attentionMask, const at::Tensor& tokenTypes) {
  const auto batch = attentionMask.size(0), length = attentionMask.size(1);
  const auto mask = attentionMask.contiguous(), types = tokenTypes.defined() ? tokenTypes.contiguous() : tokenTypes;
  const auto* sees = mask.const_data_ptr<std::int64_t>();
  const auto* type = types.defined() ? types.const_data_ptr<std::int64_t>() : nullptr;
  std::vector<std::int64_t> prefix, suffix, prefixes, suffixes, wholes;
  std::int64_t row = 0;
  for (std::int64_t i = 0; i < batch; ++i) {
    const auto before = prefix.size(), begin = suffix.size();
    for (std::int64_t at = i * length; at < (i + 1) * length; ++at) {
      if (sees[at] == 0) continue;
      const bool inPrefix = type && type[at] == 0;
      if (inPrefix && suffix.size() > begin) return std::nullopt;
      (inPrefix ? prefix : suffix).push_back(row++);
    }
    prefixes.push_back(static_cast<std::int64_t>(prefix.size() - before));
    suffixes.push_back(static_cast<std::int64_t>(suffix.size() - begin));
    wholes.push_back(prefixes.back() + suffixes.back());
  }
  if (row == 0) return std::nullopt;
  return PrefixRows{asTensor(prefix, at::kLong), asTensor(suffix, at::kLong), raggedOf(prefixes), raggedOf(suffixes),
                    raggedOf(wholes)};
}

at::Tensor attendRows(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const PrefixRows& rows,
                      double scale) {
  return PrefixAttention::apply(q, k, v, rows, scale);
}

}  // namespace roadtune::engine
