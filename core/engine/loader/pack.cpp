// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/pack.h"

#include "core/engine/nn/ops.h"

namespace roadtune::engine {
namespace {

// A label is learned from the place before it.
bool learnsInPadding(const at::Tensor& seen, const at::Tensor& labels) {
  const auto length = seen.size(1);
  if (!labels.defined() || length < 2) return false;
  const auto learned = labels.narrow(1, 1, length - 1).ne(-100);
  return learned.logical_and(seen.narrow(1, 0, length - 1).logical_not()).any().item<bool>();
}

}  // namespace

void packTokens(Batch& batch, double least) {
  const c10::NoGradGuard noGrad;
  if (!batch.attentionMask.defined()) return;
  const auto seen = batch.attentionMask.ne(0);
  const auto tokens = seen.sum().item<std::int64_t>();
  const auto padding = static_cast<double>(seen.numel() - tokens) / static_cast<double>(seen.numel());
  if (tokens == 0 || padding <= 0 || padding < least || learnsInPadding(seen, batch.labels)) return;
  batch.places = seen.flatten().nonzero().squeeze(1);
}

void packExamples(Batch& batch) {
  const c10::NoGradGuard noGrad;
  if (!batch.attentionMask.defined()) return;
  const auto seen = batch.attentionMask.ne(0);
  auto rows = learnsInPadding(seen, batch.labels) ? std::nullopt : prefixRows(batch.attentionMask, batch.tokenTypeIds);
  if (!rows) return packTokens(batch);
  batch.places = seen.flatten().nonzero().squeeze(1);
  batch.prefixes = std::move(*rows);
}

}  // namespace roadtune::engine
