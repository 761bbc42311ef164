// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_args.h"

#include <cmath>

namespace roadtune::engine::cuda {

// Row `row` of RmsNormArgs, N values at a time; width is a multiple of N.
template <int N, class T, class Group>
ROADTUNE_HD void rmsNormRow(const RmsNormArgs& a, std::int64_t row, const Group& group) {
  const T* x = static_cast<const T*>(a.x) + row * a.width;
  const T* delta = a.delta ? static_cast<const T*>(a.delta) + row * a.width : nullptr;
  T* total = a.delta ? static_cast<T*>(a.sum) + row * a.width : nullptr;
  T* y = static_cast<T*>(a.y) + row * a.width;
  float squares = 0;
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    auto values = load<N>(x + i);
    if (delta) {
      const auto more = load<N>(delta + i);
      for (int j = 0; j < N; ++j) values.values[j] = Narrow<T>::of(wide(values.values[j]) + wide(more.values[j]));
      store<N>(total + i, values);
    }
    for (int j = 0; j < N; ++j) squares += wide(values.values[j]) * wide(values.values[j]);
  }
  const float scale = 1.0f / sqrtf(group.sum(squares) / static_cast<float>(a.width) + a.eps);
  if (group.lane() == 0) a.inverse[row] = scale;
  const T* input = delta ? total : x;  // every lane reads what it wrote itself
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    const auto values = load<N>(input + i);
    const auto gain = loadFloats<N>(a.gain + i);
    Pack<T, N> out;
    for (int j = 0; j < N; ++j) out.values[j] = Narrow<T>::of(wide(values.values[j]) * scale * (1.0f + gain.values[j]));
    store<N>(y + i, out);
  }
}

// dx = r (g' - x r² mean(g' x)) with g' = g (1 + gain), plus `extra`.
template <int N, class T, class Group>
ROADTUNE_HD void rmsNormGradientRow(const RmsNormGradientArgs& a, std::int64_t row, const Group& group) {
  const T* g = static_cast<const T*>(a.gradient) + row * a.width;
  const T* x = static_cast<const T*>(a.x) + row * a.width;
  const T* extra = a.extra ? static_cast<const T*>(a.extra) + row * a.width : nullptr;
  T* out = static_cast<T*>(a.forInput) + row * a.width;
  const float scale = a.inverse[row];
  float dot = 0;
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    const auto gradient = load<N>(g + i), values = load<N>(x + i);
    const auto gain = loadFloats<N>(a.gain + i);
    for (int j = 0; j < N; ++j) dot += wide(gradient.values[j]) * (1.0f + gain.values[j]) * wide(values.values[j]);
  }
  const float pull = group.sum(dot) / static_cast<float>(a.width) * scale * scale;
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    const auto gradient = load<N>(g + i), values = load<N>(x + i), more = extra ? load<N>(extra + i) : Pack<T, N>{};
    const auto gain = loadFloats<N>(a.gain + i);
    Pack<T, N> result;
    for (int j = 0; j < N; ++j)
      result.values[j] =
          Narrow<T>::of(scale * (wide(gradient.values[j]) * (1.0f + gain.values[j]) - wide(values.values[j]) * pull) +
                        wide(more.values[j]));
    store<N>(out + i, result);
  }
}

// Rows [begin, end) of part `part`.
struct PartRows {
  std::int64_t begin, end;
};
ROADTUNE_HD PartRows rowsOfPart(std::int64_t rows, std::int64_t parts, std::int64_t part) {
  const std::int64_t each = (rows + parts - 1) / parts, begin = part * each;
  return {begin, begin + each < rows ? begin + each : rows};
}

// N columns from `column` on of part `part`: the sums of g x r over the part's rows, in their order.
template <int N, class T>
ROADTUNE_HD void rmsNormGainColumns(const RmsNormGainArgs& a, std::int64_t part, std::int64_t column) {
  const auto of = rowsOfPart(a.rows, a.parts, part);
  const T* g = static_cast<const T*>(a.gradient) + column;
  const T* x = static_cast<const T*>(a.x) + column;
  float totals[N] = {};
  for (std::int64_t row = of.begin; row < of.end; ++row) {
    const auto gradient = load<N>(g + row * a.width), values = load<N>(x + row * a.width);
    for (int j = 0; j < N; ++j) totals[j] += wide(gradient.values[j]) * wide(values.values[j]) * a.inverse[row];
  }
  for (int j = 0; j < N; ++j) a.partial[part * a.width + column + j] = totals[j];
}

// The same for weight (g x̂) and bias (g) of a layer norm.
template <int N, class T>
ROADTUNE_HD void layerNormGainColumns(const LayerNormGainArgs& a, std::int64_t part, std::int64_t column) {
  const auto of = rowsOfPart(a.rows, a.parts, part);
  const T* g = static_cast<const T*>(a.gradient) + column;
  const T* x = static_cast<const T*>(a.x) + column;
  float weight[N] = {}, bias[N] = {};
  for (std::int64_t row = of.begin; row < of.end; ++row) {
    const auto gradient = load<N>(g + row * a.width), values = load<N>(x + row * a.width);
    for (int j = 0; j < N; ++j) {
      weight[j] += wide(gradient.values[j]) * (wide(values.values[j]) - a.mean[row]) * a.inverse[row];
      bias[j] += wide(gradient.values[j]);
    }
  }
  for (int j = 0; j < N; ++j) {
    a.forWeight[part * a.width + column + j] = weight[j];
    a.forBias[part * a.width + column + j] = bias[j];
  }
}

template <int N, class T, class Group>
ROADTUNE_HD void layerNormRow(const LayerNormArgs& a, std::int64_t row, const Group& group) {
  const T* given = static_cast<const T*>(a.x) + row * a.width;
  const T* delta = a.delta ? static_cast<const T*>(a.delta) + row * a.width : nullptr;
  T* sum = a.delta ? static_cast<T*>(a.sum) + row * a.width : nullptr;
  const T* weight = static_cast<const T*>(a.weight);
  const T* bias = static_cast<const T*>(a.bias);
  T* y = static_cast<T*>(a.y) + row * a.width;
  const float count = static_cast<float>(a.width);
  float total = 0;
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    auto values = load<N>(given + i);
    if (delta) {
      const auto more = load<N>(delta + i);
      for (int j = 0; j < N; ++j) values.values[j] = Narrow<T>::of(wide(values.values[j]) + wide(more.values[j]));
      store<N>(sum + i, values);
    }
    for (int j = 0; j < N; ++j) total += wide(values.values[j]);
  }
  const T* x = delta ? sum : given;  // every lane reads what it wrote itself
  const float mean = group.sum(total) / count;
  float squares = 0;
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    const auto values = load<N>(x + i);
    for (int j = 0; j < N; ++j) squares += (wide(values.values[j]) - mean) * (wide(values.values[j]) - mean);
  }
  const float scale = 1.0f / sqrtf(group.sum(squares) / count + a.eps);
  if (group.lane() == 0) {
    a.mean[row] = mean;
    a.inverse[row] = scale;
  }
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    const auto values = load<N>(x + i), w = load<N>(weight + i), b = load<N>(bias + i);
    Pack<T, N> out;
    for (int j = 0; j < N; ++j)
      out.values[j] = Narrow<T>::of((wide(values.values[j]) - mean) * scale * wide(w.values[j]) + wide(b.values[j]));
    store<N>(y + i, out);
  }
}

// dx = r (g' - mean(g') - x̂ mean(g' x̂)) with g' = g w and x̂ = (x - mean) r, plus `extra`.
template <int N, class T, class Group>
ROADTUNE_HD void layerNormGradientRow(const LayerNormGradientArgs& a, std::int64_t row, const Group& group) {
  const T* g = static_cast<const T*>(a.gradient) + row * a.width;
  const T* x = static_cast<const T*>(a.x) + row * a.width;
  const T* extra = a.extra ? static_cast<const T*>(a.extra) + row * a.width : nullptr;
  const T* weight = static_cast<const T*>(a.weight);
  T* out = static_cast<T*>(a.forInput) + row * a.width;
  const float mean = a.mean[row], scale = a.inverse[row], count = static_cast<float>(a.width);
  float total = 0, dot = 0;
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    const auto gradient = load<N>(g + i), values = load<N>(x + i), w = load<N>(weight + i);
    for (int j = 0; j < N; ++j) {
      const float scaled = wide(gradient.values[j]) * wide(w.values[j]);
      total += scaled;
      dot += scaled * (wide(values.values[j]) - mean) * scale;
    }
  }
  const float level = group.sum(total) / count, slope = group.sum(dot) / count;
  for (std::int64_t i = static_cast<std::int64_t>(group.lane()) * N; i < a.width; i += group.size() * N) {
    const auto gradient = load<N>(g + i), values = load<N>(x + i), w = load<N>(weight + i);
    const auto more = extra ? load<N>(extra + i) : Pack<T, N>{};
    Pack<T, N> result;
    for (int j = 0; j < N; ++j)
      result.values[j] = Narrow<T>::of(scale * (wide(gradient.values[j]) * wide(w.values[j]) - level -
                                                (wide(values.values[j]) - mean) * scale * slope) +
                                       wide(more.values[j]));
    store<N>(out + i, result);
  }
}

}  // namespace roadtune::engine::cuda
