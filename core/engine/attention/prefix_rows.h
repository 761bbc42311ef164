// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attention/ragged.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <optional>
#include <vector>

namespace roadtune::engine {

// Where prefixes and suffixes of examples lie among the packed rows of a batch. With these, a prefix-LM needs no mask:
// a prefix sees itself, and a suffix, causally, its whole example.
struct PrefixRows {
  at::Tensor suffix;  // int64: the rows of all suffixes, ascending
  Ragged parts;       // the prefix, then the suffix of every example; longest 0 where nothing is a prefix
  Ragged suffixes, wholes;

  bool defined() const { return wholes.ends.defined(); }
  bool anyPrefix() const { return parts.longest > 0; }
  bool anySuffix() const { return suffixes.longest > 0; }
  std::array<at::Tensor*, 4> tensors() { return {&suffix, &parts.ends, &suffixes.ends, &wholes.ends}; }
};

// Of the tokens that `attentionMask` sees, int64 [B, L], on the CPU. Token type 0 is the prefix; undefined `tokenTypes`
// mean none. Nothing where a prefix goes on behind a suffix.
std::optional<PrefixRows> prefixRows(const at::Tensor& attentionMask, const at::Tensor& tokenTypes);

// Of each example its last rows as the only queries, so many of each; none before the last of its prefix.
PrefixRows lastRows(const std::vector<std::int64_t>& counts, const PrefixRows& all);

// q [rows, heads, d], k and v [rows, kvHeads, d]; returns [rows, heads, d].
at::Tensor attendRows(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const PrefixRows& rows,
                      double scale);

}  // namespace roadtune::engine
