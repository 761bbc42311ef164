// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/norm_kernels.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kValuesPerTask = 32768;
constexpr std::size_t kLanes = 16;

// Sum of f(i) for i below count, in lanes that the compiler turns into vectors.
template <class F>
float laneSum(std::int64_t count, F&& f) {
  std::array<float, kLanes> lanes{};
  const auto whole = count / static_cast<std::int64_t>(kLanes) * static_cast<std::int64_t>(kLanes);
  for (std::int64_t i = 0; i < whole; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += f(i + static_cast<std::int64_t>(lane));
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  for (auto i = whole; i < count; ++i) sum += f(i);
  return sum;
}

std::int64_t rowsPerTask(std::int64_t width) { return std::max<std::int64_t>(1, kValuesPerTask / width); }

template <class T>
void forwardRows(const at::Tensor& x, const at::Tensor& gain, double eps, at::Tensor& y, at::Tensor& inverse) {
  const auto width = x.size(-1), rows = inverse.numel();
  const T* input = x.const_data_ptr<T>();
  const float* weight = gain.const_data_ptr<float>();
  T* output = y.mutable_data_ptr<T>();
  float* scales = inverse.mutable_data_ptr<float>();
  at::parallel_for(0, rows, rowsPerTask(width), [&](std::int64_t begin, std::int64_t end) {
    for (auto row = begin; row < end; ++row) {
      const T* in = input + row * width;
      T* out = output + row * width;
      const float squares =
          laneSum(width, [in](std::int64_t i) { return static_cast<float>(in[i]) * static_cast<float>(in[i]); });
      const float scale = 1.0f / std::sqrt(squares / static_cast<float>(width) + static_cast<float>(eps));
      scales[row] = scale;
      for (std::int64_t i = 0; i < width; ++i)
        out[i] = static_cast<T>(static_cast<float>(in[i]) * scale * (1.0f + weight[i]));
    }
  });
}

// dx = r (g' - x r² mean(g' x)) with g' = g (1 + w).
template <class T>
void inputRows(const T* gradient, const T* input, const float* weight, const float* scales, T* output,
               std::int64_t width, std::int64_t rows) {
  at::parallel_for(0, rows, rowsPerTask(width), [&](std::int64_t begin, std::int64_t end) {
    for (auto row = begin; row < end; ++row) {
      const T* g = gradient + row * width;
      const T* x = input + row * width;
      const float scale = scales[row];
      const float dot = laneSum(width, [&](std::int64_t i) {
        return static_cast<float>(g[i]) * (1.0f + weight[i]) * static_cast<float>(x[i]);
      });
      const float pull = dot / static_cast<float>(width) * scale * scale;
      for (std::int64_t i = 0; i < width; ++i)
        output[row * width + i] =
            static_cast<T>(scale * (static_cast<float>(g[i]) * (1.0f + weight[i]) - static_cast<float>(x[i]) * pull));
    }
  });
}

// dw = sum over rows of g x r. Threads share out the columns, so that each sum has one order.
template <class T>
void gainColumns(const T* gradient, const T* input, const float* scales, float* output, std::int64_t width,
                 std::int64_t rows) {
  const auto columnsPerTask = std::max<std::int64_t>(64, kValuesPerTask / std::max<std::int64_t>(1, rows));
  at::parallel_for(0, width, columnsPerTask, [&](std::int64_t begin, std::int64_t end) {
    std::fill(output + begin, output + end, 0.0f);
    for (std::int64_t row = 0; row < rows; ++row)
      for (auto i = begin; i < end; ++i)
        output[i] +=
            static_cast<float>(gradient[row * width + i]) * static_cast<float>(input[row * width + i]) * scales[row];
  });
}

template <class T>
void backwardRows(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& gain, const at::Tensor& inverse,
                  at::Tensor& forInput, at::Tensor& forGain) {
  const auto width = x.size(-1), rows = inverse.numel();
  const auto* scales = inverse.const_data_ptr<float>();
  inputRows(gradient.const_data_ptr<T>(), x.const_data_ptr<T>(), gain.const_data_ptr<float>(), scales,
            forInput.mutable_data_ptr<T>(), width, rows);
  if (forGain.defined())
    gainColumns(gradient.const_data_ptr<T>(), x.const_data_ptr<T>(), scales, forGain.mutable_data_ptr<float>(), width,
                rows);
}

}  // namespace

bool rmsNormKernelTakes(const at::Tensor& x) {
  return x.is_cpu() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16);
}

void rmsNormForward(const at::Tensor& x, const at::Tensor& gain, double eps, at::Tensor& y, at::Tensor& inverse) {
  if (x.scalar_type() == at::kFloat)
    forwardRows<float>(x, gain, eps, y, inverse);
  else
    forwardRows<at::BFloat16>(x, gain, eps, y, inverse);
}

void rmsNormBackward(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& gain, const at::Tensor& inverse,
                     at::Tensor& forInput, at::Tensor& forGain) {
  if (x.scalar_type() == at::kFloat)
    backwardRows<float>(gradient, x, gain, inverse, forInput, forGain);
  else
    backwardRows<at::BFloat16>(gradient, x, gain, inverse, forInput, forGain);
}

}  // namespace roadtune::engine
