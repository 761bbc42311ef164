// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/token_table.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace roadtune::engine {

// The positions whose next token is to be learned, over a flattened [B * L] batch or over its packed rows.
struct LabelRows {
  at::Tensor positions;  // int64 [T]
  at::Tensor targets;    // int64 [T]
  at::Tensor examples;   // int64 [T]: row of the batch
  std::int64_t count() const { return positions.size(0); }
};

// A token at i is predicted from position i - 1; labels of -100, and the label of the first token, do not count. With
// `places` (int64, ascending: where the packed rows stand, those of all labels among them) positions are rows of those;
// with `asked` (int64, ascending: rows of those that are asked for) of these.
LabelRows labelRows(const at::Tensor& labels, const at::Tensor& places = {}, const at::Tensor& asked = {});

// Rows weigh 1/n of their own example's n rows and 1/B of B examples.
at::Tensor perExampleWeights(const LabelRows& rows, std::int64_t examples);

constexpr std::int64_t kLogitBytes = 64 << 20;  // at a time

struct LossResult {
  at::Tensor loss;     // float32 [], differentiable: sum over rows of weight * cross entropy
  at::Tensor rowLoss;  // float32 [T], cross entropy of every row, no gradient
};

// Cross entropy over the whole vocabulary: hidden [T, H] x table [V, H]ᵀ, soft-capped when cap > 0, then float32.
// Works through the rows in chunks and computes gradients on the way, so that at most one chunk of logits exists.
// `rowWeights` float32 [T]; undefined counts as all ones. `smoothing` spreads that share of the target evenly over
// the vocabulary. With `forLookUp` the table's gradient goes there instead of to the table; with `addsDirectly`
// (direct_gradient.h) it is added to table.grad() at once, and the backward pass must start at the loss. `narrow` is
// the table in the type of `hidden` where the one that collects is wider (addsWider). `anew`: what table.grad() holds
// is written over.
LossResult crossEntropy(const at::Tensor& hidden, const at::Tensor& table, const LabelRows& rows, double cap,
                        const at::Tensor& rowWeights = {}, double smoothing = 0.0,
                        std::int64_t maxLogitBytes = kLogitBytes, const std::shared_ptr<TableGradient>& forLookUp = {},
                        bool addsDirectly = false, const at::Tensor& narrow = {}, bool anew = false);

}  // namespace roadtune::engine
