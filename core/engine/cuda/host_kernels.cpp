// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/host_kernels.h"

#include "core/engine/cuda/rows/moment_rows.h"
#include "core/engine/cuda/rows/nf4_rows.h"
#include "core/engine/cuda/rows/norm_rows.h"
#include "core/engine/cuda/rows/point_rows.h"
#include "core/engine/cuda/rows/scatter_rows.h"
#include "core/engine/cuda/rows/softmax_rows.h"

#include <ATen/Parallel.h>

#include <array>

namespace roadtune::engine::cuda {
namespace host {
namespace {

constexpr OneLane kLane;

// Calls `work` with a value of the element's type.
template <class Work>
int typed(Element type, Work&& work) {
  if (type == Element::Float)
    work(float{});
  else
    work(Bf16{});
  return 0;
}

template <class Work>
void each(std::int64_t count, Work&& work) {
  for (std::int64_t i = 0; i < count; ++i) work(i);
}

int rmsNorm(const RmsNormArgs& a) {
  return typed(a.type, [&](auto t) { each(a.rows, [&](auto row) { rmsNormRow<1, decltype(t)>(a, row, kLane); }); });
}

int rmsNormGradient(const RmsNormGradientArgs& a) {
  return typed(a.type,
               [&](auto t) { each(a.parts, [&](auto part) { rmsNormGradientPart<1, decltype(t)>(a, part, kLane); }); });
}

int layerNorm(const LayerNormArgs& a) {
  return typed(a.type, [&](auto t) { each(a.rows, [&](auto row) { layerNormRow<1, decltype(t)>(a, row, kLane); }); });
}

int layerNormGradient(const LayerNormGradientArgs& a) {
  return typed(a.type, [&](auto t) {
    each(a.parts, [&](auto part) { layerNormGradientPart<1, decltype(t)>(a, part, kLane); });
  });
}

int rope(const RopeArgs& a) {
  return typed(a.type, [&](auto t) {
    for (std::int64_t batch = 0; batch < a.batch; ++batch)
      for (std::int64_t position = 0; position < a.length; ++position) {
        const auto from = ropeSource(a, batch, position);
        for (std::int64_t head = 0; head < a.heads; ++head)
          each(a.width / 2, [&](auto i) { ropePack<1, decltype(t)>(a, from, batch, position, head, i); });
      }
  });
}

int geglu(const GegluArgs& a) {
  return typed(a.type, [&](auto t) { each(a.count, [&](auto i) { gegluPack<1, decltype(t)>(a, i); }); });
}

int gegluGradient(const GegluGradientArgs& a) {
  return typed(a.type, [&](auto t) { each(a.count, [&](auto i) { gegluGradientPack<1, decltype(t)>(a, i); }); });
}

int probabilities(const ProbabilityArgs& a) {
  return typed(a.type, [&](auto t) {
    each(a.batch * a.heads * a.queries, [&](auto row) { probabilityRow<decltype(t)>(a, row, kLane); });
  });
}

int scoreGradient(const ScoreGradientArgs& a) {
  return typed(a.type, [&](auto t) {
    each(a.batch * a.heads * a.queries, [&](auto row) { scoreGradientRow<decltype(t)>(a, row, kLane); });
  });
}

int crossEntropy(const CrossEntropyArgs& a) {
  return typed(a.type,
               [&](auto t) { each(a.rows, [&](auto row) { crossEntropyRow<1, decltype(t)>(a, row, kLane); }); });
}

int adamW(const AdamWArgs& a) {
  constexpr std::int64_t kAtATime = 1 << 14;  // values
  typedUpdate(a, [&](auto value, auto gradient) {
    using T = decltype(value);
    using Gradient = decltype(gradient);
    if (a.first)
      at::parallel_for(0, a.count, kAtATime, [&](auto begin, auto end) {
        for (auto i = begin; i < end; ++i) adamWValues<1, T, Gradient>(a, i);
      });
    else
      at::parallel_for(0, (a.count + kMomentBlockValues - 1) / kMomentBlockValues, kAtATime / kMomentBlockValues,
                       [&](auto begin, auto end) {
                         for (auto block = begin; block < end; ++block) adamWBlock<1, T, Gradient>(a, block, kLane);
                       });
  });
  return 0;
}

int average(const AverageArgs& a) {
  each(a.count, [&](auto i) { averagePack<1>(a, i); });
  return 0;
}

int nf4Quantise(const Nf4QuantiseArgs& a) {
  each((a.count + kNf4BlockValues - 1) / kNf4BlockValues, [&](auto block) { nf4QuantiseBlock(a, block, kLane); });
  return 0;
}

int nf4Dequantise(const Nf4DequantiseArgs& a) {
  return typed(a.type, [&](auto t) {
    each((a.count + 1) / 2, [&](auto at) { nf4DequantisePack<2, decltype(t)>(a, kNf4Values, at * 2); });
  });
}

int nf4Product(const Nf4ProductArgs& a) {
  return typed(a.weight.type, [&](auto t) {
    for (std::int64_t first = 0; first < a.rows; first += kNf4ProductRows)
      each(a.columns,
           [&](auto column) { nf4ProductColumn<kNf4ProductRows, decltype(t)>(a, kNf4Values, column, first, kLane); });
  });
}

int dropout(const DropoutArgs& a) {
  return typed(a.type, [&](auto t) { each(a.count, [&](auto i) { dropoutPack<1, decltype(t)>(a, i); }); });
}

int pixels(const PixelArgs& a) {
  return typed(a.type, [&](auto t) {
    for (std::int64_t image = 0; image < a.images; ++image)
      each(a.side * a.side, [&](auto i) { pixelAt<decltype(t)>(a, image, i); });
  });
}

int scatter(const ScatterArgs& a) {
  return typed(a.type, [&](auto t) {
    typed(a.tableType, [&](auto table) {
      each(a.count, [&](auto start) {
        each(a.width, [&](auto column) { scatterSegment<decltype(t), decltype(table)>(a, start, column); });
      });
    });
  });
}

const char* errorText(int) { return "no error"; }

std::int64_t normParts(Element, std::int64_t) { return 256; }

constexpr KernelTable kTable{
    .rmsNorm = rmsNorm,
    .rmsNormGradient = rmsNormGradient,
    .layerNorm = layerNorm,
    .layerNormGradient = layerNormGradient,
    .rope = rope,
    .geglu = geglu,
    .gegluGradient = gegluGradient,
    .probabilities = probabilities,
    .scoreGradient = scoreGradient,
    .crossEntropy = crossEntropy,
    .adamW = adamW,
    .average = average,
    .nf4Quantise = nf4Quantise,
    .nf4Dequantise = nf4Dequantise,
    .nf4Product = nf4Product,
    .dropout = dropout,
    .pixels = pixels,
    .scatter = scatter,
    .errorText = errorText,
    .normParts = normParts,
};

}  // namespace
}  // namespace host

const KernelTable& hostKernels() { return host::kTable; }

}  // namespace roadtune::engine::cuda
