// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_args.h"

#include <cmath>

namespace roadtune::engine::cuda {

// The largest value seen and the sum of exp(value - largest), extended one value at a time.
struct RunningSum {
  float largest = -INFINITY, sum = 0;

  ROADTUNE_HD void add(float value) {
    if (value > largest) {
      sum = sum * expf(largest - value) + 1.0f;
      largest = value;
    } else if (value > -INFINITY) {
      sum += expf(value - largest);
    }
  }

  // log of the sum of exp over all lanes.
  template <class Group>
  ROADTUNE_HD float logSum(const Group& group) const {
    const float top = group.highest(largest);
    return top + logf(group.sum(sum > 0 ? sum * expf(largest - top) : 0.0f));
  }
};

// cap tanh(x / cap) and its slope; without a cap x itself.
struct Capped {
  float value, slope;
};
ROADTUNE_HD Capped capped(float x, float cap) {
  if (cap <= 0) return {x, 1.0f};
  const float t = tanhf(x / cap);
  return {cap * t, 1.0f - t * t};
}

// Where the row of scores lies, and its row of the mask.
template <class T>
struct ScoreRow {
  const T* scores;
  const T* mask;  // null: nothing is masked

  template <class Args>
  ROADTUNE_HD ScoreRow(const Args& a, std::int64_t row) {
    const std::int64_t query = row % a.queries, batch = row / (a.queries * a.heads);
    scores = static_cast<const T*>(a.scores) + row * a.keys;
    mask = a.mask ? static_cast<const T*>(a.mask) + batch * a.maskBatch + query * a.maskRow : nullptr;
  }

  ROADTUNE_HD Capped at(std::int64_t i, float scale, float cap) const {
    auto result = capped(wide(scores[i]) * scale, cap);
    if (mask) result.value += wide(mask[i]);
    return result;
  }
};

template <class T, class Group>
ROADTUNE_HD void probabilityRow(const ProbabilityArgs& a, std::int64_t row, const Group& group) {
  const ScoreRow<T> in(a, row);
  T* out = static_cast<T*>(a.out) + row * a.keys;
  float logSum = 0;
  if (a.known) {
    logSum = a.logSum[row];
  } else {
    RunningSum running;
    for (std::int64_t i = group.lane(); i < a.keys; i += group.size()) running.add(in.at(i, a.scale, a.cap).value);
    logSum = running.logSum(group);
    if (group.lane() == 0) a.logSum[row] = logSum;
  }
  for (std::int64_t i = group.lane(); i < a.keys; i += group.size())
    out[i] = Narrow<T>::of(expf(in.at(i, a.scale, a.cap).value - logSum));
}

// ds = p (dp - Σ dp p) slope scale.
template <class T, class Group>
ROADTUNE_HD void scoreGradientRow(const ScoreGradientArgs& a, std::int64_t row, const Group& group) {
  const ScoreRow<T> in(a, row);
  const T* gradient = static_cast<const T*>(a.gradient) + row * a.keys;
  T* out = static_cast<T*>(a.out) + row * a.keys;
  const float logSum = a.logSum[row];
  float dot = 0;
  for (std::int64_t i = group.lane(); i < a.keys; i += group.size())
    dot += wide(gradient[i]) * expf(in.at(i, a.scale, a.cap).value - logSum);
  dot = group.sum(dot);
  for (std::int64_t i = group.lane(); i < a.keys; i += group.size()) {
    const auto score = in.at(i, a.scale, a.cap);
    out[i] = Narrow<T>::of(expf(score.value - logSum) * (wide(gradient[i]) - dot) * score.slope * a.scale);
  }
}

// One row of logits: its cross entropy, and the gradient in place of the logits.
template <int N, class T, class Group>
ROADTUNE_HD void crossEntropyRow(const CrossEntropyArgs& a, std::int64_t row, const Group& group) {
  T* logits = static_cast<T*>(a.logits) + row * a.vocabulary;
  const std::int64_t target = a.targets[row];
  const float targetLogit = capped(wide(logits[target]), a.cap).value;  // before any lane overwrites it
  RunningSum running;
  float total = 0;
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.vocabulary; i += group.size() * N) {
    const auto values = load<N>(logits + i);
    for (int j = 0; j < N; ++j) {
      const float logit = capped(wide(values.values[j]), a.cap).value;
      running.add(logit);
      total += logit;
    }
  }
  const float logSum = running.logSum(group);
  const float count = static_cast<float>(a.vocabulary), s = a.smoothing;
  if (s > 0) total = group.sum(total);
  if (group.lane() == 0) a.loss[row] = logSum - (1.0f - s) * targetLogit - (s > 0 ? s * total / count : 0.0f);
  if (!a.gradients) return;
  const float weight = a.weights[row];
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.vocabulary; i += group.size() * N) {
    auto values = load<N>(logits + i);
    for (int j = 0; j < N; ++j) {
      const auto logit = capped(wide(values.values[j]), a.cap);
      const float wanted = (i + j == target ? 1.0f - s : 0.0f) + s / count;
      values.values[j] = Narrow<T>::of((expf(logit.value - logSum) - wanted) * weight * logit.slope);
    }
    store<N>(logits + i, values);
  }
}

}  // namespace roadtune::engine::cuda
