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
  const std::int64_t first = static_cast<std::int64_t>(group.lane()) * N, stride = group.size() * N;
  Pack<T, N> kept{};  // a lane's first pack, mostly the only one
  float squares = 0;
  for (std::int64_t i = first; i < a.width; i += stride) {
    auto values = load<N>(x + i);
    if (delta) {
      const auto more = load<N>(delta + i);
      for (int j = 0; j < N; ++j) values.values[j] = Narrow<T>::of(wide(values.values[j]) + wide(more.values[j]));
      store<N>(total + i, values);
    }
    if (i == first) kept = values;
    for (int j = 0; j < N; ++j) squares += wide(values.values[j]) * wide(values.values[j]);
  }
  const float scale = 1.0f / sqrtf(group.sum(squares) / static_cast<float>(a.width) + a.eps);
  if (group.lane() == 0) a.inverse[row] = scale;
  const T* input = delta ? total : x;  // every lane reads what it wrote itself
  for (std::int64_t i = first; i < a.width; i += stride) {
    const auto values = i == first ? kept : load<N>(input + i);
    const auto gain = loadInParts<N>(a.gain + i);
    Pack<T, N> out;
    for (int j = 0; j < N; ++j) out.values[j] = Narrow<T>::of(wide(values.values[j]) * scale * (1.0f + gain.values[j]));
    store<N>(y + i, out);
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

// Sums over the rows of a part, in their order, for the columns of one lane: for its first pack, mostly the only one,
// in registers, for others in the memory of the result.
template <int N>
class ColumnSums {
 public:
  // `sums` of one part, or null; a lane takes the packs at `first`, first + stride ...
  ROADTUNE_HD ColumnSums(float* sums, std::int64_t first, std::int64_t stride, std::int64_t width)
      : m_sums(sums), m_first(first), m_width(width) {
    if (!m_sums) return;
    for (std::int64_t i = first + stride; i < width; i += stride)
      for (int j = 0; j < N; ++j) m_sums[i + j] = 0;
  }
  ROADTUNE_HD void add(std::int64_t column, const Pack<float, N>& values) {
    if (!m_sums) return;
    for (int j = 0; j < N; ++j) {
      if (column == m_first)
        m_kept[j] += values.values[j];
      else
        m_sums[column + j] += values.values[j];
    }
  }
  ROADTUNE_HD void finish() const {
    if (!m_sums || m_first >= m_width) return;
    for (int j = 0; j < N; ++j) m_sums[m_first + j] = m_kept[j];
  }

 private:
  float m_kept[N] = {};
  float* m_sums;
  std::int64_t m_first, m_width;
};

// What the gradients of a pack are made of.
template <int N, class T>
struct GradientPacks {
  Pack<T, N> gradient, values, more;
};
template <int N, class T>
ROADTUNE_HD GradientPacks<N, T> packsAt(const T* gradient, const T* x, const T* extra, std::int64_t i) {
  return {load<N>(gradient + i), load<N>(x + i), extra ? load<N>(extra + i) : Pack<T, N>{}};
}

// What the gradient of a row begins with: a lane's first pack, mostly the only one, and the numbers of the row. Read
// while the row before is still worked on.
template <int N, class T>
struct RowStart {
  GradientPacks<N, T> packs{};
  float mean = 0, scale = 0;
};
template <int N, class T, class Args>
ROADTUNE_HD RowStart<N, T> startOfRow(const Args& a, std::int64_t row, std::int64_t first) {
  RowStart<N, T> start;
  start.scale = a.inverse[row];
  if constexpr (requires { a.mean; }) start.mean = a.mean[row];
  if (first >= a.width) return start;
  const std::int64_t at = row * a.width;
  const T* extra = a.extra ? static_cast<const T*>(a.extra) + at : nullptr;
  start.packs = packsAt<N>(static_cast<const T*>(a.gradient) + at, static_cast<const T*>(a.x) + at, extra, first);
  return start;
}

// dx = r (g' - x r² mean(g' x)) with g' = g (1 + gain), plus `extra`; for the gain g x r.
template <int N, class T, class Group>
ROADTUNE_HD void rmsNormGradientRow(const RmsNormGradientArgs& a, std::int64_t row, const Group& group,
                                    const RowStart<N, T>& start, ColumnSums<N>& forGain) {
  const T* g = static_cast<const T*>(a.gradient) + row * a.width;
  const T* x = static_cast<const T*>(a.x) + row * a.width;
  const T* extra = a.extra ? static_cast<const T*>(a.extra) + row * a.width : nullptr;
  T* out = static_cast<T*>(a.forInput) + row * a.width;
  const std::int64_t first = static_cast<std::int64_t>(group.lane()) * N, stride = group.size() * N;
  const float scale = start.scale;
  float dot = 0;
  for (std::int64_t i = first; i < a.width; i += stride) {
    const auto [gradient, values, more] = i == first ? start.packs : packsAt<N>(g, x, extra, i);
    const auto gain = loadInParts<N>(a.gain + i);
    for (int j = 0; j < N; ++j) dot += wide(gradient.values[j]) * (1.0f + gain.values[j]) * wide(values.values[j]);
  }
  const float pull = group.sum(dot) / static_cast<float>(a.width) * scale * scale;
  for (std::int64_t i = first; i < a.width; i += stride) {
    const auto [gradient, values, more] = i == first ? start.packs : packsAt<N>(g, x, extra, i);
    const auto gain = loadInParts<N>(a.gain + i);
    Pack<T, N> result;
    Pack<float, N> toGain;
    for (int j = 0; j < N; ++j) {
      const float arrived = wide(gradient.values[j]), value = wide(values.values[j]);
      result.values[j] =
          Narrow<T>::of(scale * (arrived * (1.0f + gain.values[j]) - value * pull) + wide(more.values[j]));
      toGain.values[j] = arrived * value * scale;
    }
    store<N>(out + i, result);
    forGain.add(i, toGain);
  }
}

template <int N, class T, class Group>
ROADTUNE_HD void rmsNormGradientPart(const RmsNormGradientArgs& a, std::int64_t part, const Group& group) {
  const auto rows = rowsOfPart(a.rows, a.parts, part);
  float* sums = a.forGain ? a.forGain + part * a.width : nullptr;
  const std::int64_t first = static_cast<std::int64_t>(group.lane()) * N;
  ColumnSums<N> forGain(sums, first, group.size() * N, a.width);
  RowStart<N, T> next;
  if (rows.begin < rows.end) next = startOfRow<N, T>(a, rows.begin, first);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const auto start = next;
    if (row + 1 < rows.end) next = startOfRow<N, T>(a, row + 1, first);
    rmsNormGradientRow<N, T>(a, row, group, start, forGain);
  }
  forGain.finish();
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
  const std::int64_t first = static_cast<std::int64_t>(group.lane()) * N, stride = group.size() * N;
  Pack<T, N> kept{};
  float total = 0;
  for (std::int64_t i = first; i < a.width; i += stride) {
    auto values = load<N>(given + i);
    if (delta) {
      const auto more = load<N>(delta + i);
      for (int j = 0; j < N; ++j) values.values[j] = Narrow<T>::of(wide(values.values[j]) + wide(more.values[j]));
      store<N>(sum + i, values);
    }
    if (i == first) kept = values;
    for (int j = 0; j < N; ++j) total += wide(values.values[j]);
  }
  const T* x = delta ? sum : given;  // every lane reads what it wrote itself
  const float mean = group.sum(total) / count;
  float squares = 0;
  for (std::int64_t i = first; i < a.width; i += stride) {
    const auto values = i == first ? kept : load<N>(x + i);
    for (int j = 0; j < N; ++j) squares += (wide(values.values[j]) - mean) * (wide(values.values[j]) - mean);
  }
  const float scale = 1.0f / sqrtf(group.sum(squares) / count + a.eps);
  if (group.lane() == 0) {
    a.mean[row] = mean;
    a.inverse[row] = scale;
  }
  for (std::int64_t i = first; i < a.width; i += stride) {
    const auto values = i == first ? kept : load<N>(x + i), w = load<N>(weight + i), b = load<N>(bias + i);
    Pack<T, N> out;
    for (int j = 0; j < N; ++j)
      out.values[j] = Narrow<T>::of((wide(values.values[j]) - mean) * scale * wide(w.values[j]) + wide(b.values[j]));
    store<N>(y + i, out);
  }
}

// dx = r (g' - mean(g') - x̂ mean(g' x̂)) with g' = g w and x̂ = (x - mean) r, plus `extra`; for weight g x̂, for bias g.
template <int N, class T, class Group>
ROADTUNE_HD void layerNormGradientRow(const LayerNormGradientArgs& a, std::int64_t row, const Group& group,
                                      const RowStart<N, T>& start, ColumnSums<N>& forWeight, ColumnSums<N>& forBias) {
  const T* g = static_cast<const T*>(a.gradient) + row * a.width;
  const T* x = static_cast<const T*>(a.x) + row * a.width;
  const T* extra = a.extra ? static_cast<const T*>(a.extra) + row * a.width : nullptr;
  const T* weight = static_cast<const T*>(a.weight);
  T* out = static_cast<T*>(a.forInput) + row * a.width;
  const float mean = start.mean, scale = start.scale, count = static_cast<float>(a.width);
  const std::int64_t first = static_cast<std::int64_t>(group.lane()) * N, stride = group.size() * N;
  float total = 0, dot = 0;
  for (std::int64_t i = first; i < a.width; i += stride) {
    const auto [gradient, values, more] = i == first ? start.packs : packsAt<N>(g, x, extra, i);
    const auto w = load<N>(weight + i);
    for (int j = 0; j < N; ++j) {
      const float scaled = wide(gradient.values[j]) * wide(w.values[j]);
      total += scaled;
      dot += scaled * (wide(values.values[j]) - mean) * scale;
    }
  }
  const float level = group.sum(total) / count, slope = group.sum(dot) / count;
  for (std::int64_t i = first; i < a.width; i += stride) {
    const auto [gradient, values, more] = i == first ? start.packs : packsAt<N>(g, x, extra, i);
    const auto w = load<N>(weight + i);
    Pack<T, N> result;
    Pack<float, N> toWeight, toBias;
    for (int j = 0; j < N; ++j) {
      const float arrived = wide(gradient.values[j]), even = (wide(values.values[j]) - mean) * scale;
      result.values[j] =
          Narrow<T>::of(scale * (arrived * wide(w.values[j]) - level - even * slope) + wide(more.values[j]));
      toWeight.values[j] = arrived * even;
      toBias.values[j] = arrived;
    }
    store<N>(out + i, result);
    forWeight.add(i, toWeight);
    forBias.add(i, toBias);
  }
}

template <int N, class T, class Group>
ROADTUNE_HD void layerNormGradientPart(const LayerNormGradientArgs& a, std::int64_t part, const Group& group) {
  const auto rows = rowsOfPart(a.rows, a.parts, part);
  const std::int64_t first = static_cast<std::int64_t>(group.lane()) * N, stride = group.size() * N;
  ColumnSums<N> forWeight(a.forWeight ? a.forWeight + part * a.width : nullptr, first, stride, a.width);
  ColumnSums<N> forBias(a.forBias ? a.forBias + part * a.width : nullptr, first, stride, a.width);
  RowStart<N, T> next;
  if (rows.begin < rows.end) next = startOfRow<N, T>(a, rows.begin, first);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const auto start = next;
    if (row + 1 < rows.end) next = startOfRow<N, T>(a, row + 1, first);
    layerNormGradientRow<N, T>(a, row, group, start, forWeight, forBias);
  }
  forWeight.finish();
  forBias.finish();
}

}  // namespace roadtune::engine::cuda
