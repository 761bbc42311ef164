// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/pack.h"

#include "core/engine/nn/ops.h"

#include <algorithm>
#include <vector>

namespace roadtune::engine {
namespace {

constexpr double kMostAsked = 0.75;  // of the rows: more are not worth bringing them together

// A label is learned from the place before it.
bool learnsInPadding(const at::Tensor& seen, const at::Tensor& labels) {
  const auto length = seen.size(1);
  if (!labels.defined() || length < 2) return false;
  const auto learned = labels.narrow(1, 1, length - 1).ne(-100);
  return learned.logical_and(seen.narrow(1, 0, length - 1).logical_not()).any().item<bool>();
}

// Per example the first column that a label is predicted from, and the last of its prefix; -1: none.
struct Columns {
  std::vector<std::int64_t> asked, prefix;
};

Columns columnsOf(const Batch& batch) {
  const auto rows = batch.labels.size(0), length = batch.labels.size(1);
  const auto labels = batch.labels.contiguous(), seen = batch.attentionMask.contiguous();
  const auto types = batch.tokenTypeIds.defined() ? batch.tokenTypeIds.contiguous() : at::Tensor();
  const auto *label = labels.const_data_ptr<std::int64_t>(), *sees = seen.const_data_ptr<std::int64_t>();
  const auto* type = types.defined() ? types.const_data_ptr<std::int64_t>() : nullptr;
  Columns columns{std::vector<std::int64_t>(static_cast<std::size_t>(rows), -1), {}};
  columns.prefix = columns.asked;
  for (std::int64_t i = 0; i < rows; ++i) {
    auto &asked = columns.asked[static_cast<std::size_t>(i)], &prefix = columns.prefix[static_cast<std::size_t>(i)];
    for (std::int64_t c = 0; c < length; ++c) {
      const auto at = i * length + c;
      if (asked < 0 && c + 1 < length && label[at + 1] != -100) asked = c;
      if (type && sees[at] != 0 && type[at] == 0) prefix = c;
    }
  }
  return columns;
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

void askForLabels(Batch& batch) {
  const c10::NoGradGuard noGrad;
  if (!batch.attentionMask.defined() || !batch.labels.defined()) return;
  const auto seen = batch.attentionMask.ne(0);
  if (!batch.places.defined() && learnsInPadding(seen, batch.labels)) return;
  const auto places = batch.places.defined() ? batch.places : seen.flatten().nonzero().squeeze(1);
  const auto columns = columnsOf(batch);
  const auto length = batch.labels.size(1);
  std::vector<std::int64_t> rows, whole, counts(columns.asked.size(), 0);
  const auto* place = places.const_data_ptr<std::int64_t>();
  for (std::int64_t row = 0; row < places.size(0); ++row) {
    const auto example = static_cast<std::size_t>(place[row] / length);
    const auto column = place[row] % length;
    if (columns.asked[example] < 0 || column < columns.asked[example]) continue;
    rows.push_back(row);
    whole.push_back(place[row]);
    ++counts[example];
  }
  if (rows.empty() || static_cast<double>(rows.size()) > kMostAsked * static_cast<double>(places.size(0))) return;
  AskedRows asked{asTensor(rows), asTensor(whole), {}, batch.labels.size(0), length};
  asked.longest = *std::max_element(counts.begin(), counts.end());
  std::vector<std::int64_t> own;
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::int64_t j = 0; j < counts[i]; ++j) own.push_back(static_cast<std::int64_t>(i) * asked.longest + j);
  asked.places = asTensor(own);
  bool behind = batch.prefixes.defined();
  for (std::size_t i = 0; i < counts.size(); ++i) behind &= counts[i] == 0 || columns.asked[i] >= columns.prefix[i];
  if (behind) asked.prefixes = lastRows(counts, batch.prefixes);
  batch.places = places;
  batch.asked = std::move(asked);
}

}  // namespace roadtune::engine
