// SPDX-License-Identifier: GPL-3.0-or-later
#include "products.h"

#include "card.h"
#include "core/engine/cuda/portable.h"
#include "tally.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fake_cuda {
namespace {

using roadtune::engine::cuda::Bf16;
using roadtune::engine::cuda::roundedBf16;
using roadtune::engine::cuda::wide;

bool known(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_16BF; }

float read(const void* at, cudaDataType type, long long i) {
  return type == CUDA_R_32F ? static_cast<const float*>(at)[i] : wide(static_cast<const Bf16*>(at)[i]);
}

void write(void* at, cudaDataType type, long long i, float value) {
  if (type == CUDA_R_32F)
    static_cast<float*>(at)[i] = value;
  else
    static_cast<Bf16*>(at)[i] = roundedBf16(value);
}

// Of a matrix as it is multiplied, column after column.
std::vector<float> gathered(const Matrix& x, long long one, long long rows, long long columns) {
  std::vector<float> values(static_cast<std::size_t>(rows * columns));
  for (long long row = 0; row < rows; ++row)
    for (long long column = 0; column < columns; ++column) {
      const auto place = x.stride * one + (x.transposed ? row * x.leading + column : column * x.leading + row);
      values[static_cast<std::size_t>(column * rows + row)] = read(x.at, x.type, place);
    }
  return values;
}

}  // namespace

bool product(const Sizes& sizes, float alpha, const Matrix& a, const Matrix& b, float beta, const Matrix& c,
             const Matrix& d, const void* bias) {
  const auto [m, n, k, batch] = sizes;
  countProduct(static_cast<double>(m), static_cast<double>(n), static_cast<double>(k), static_cast<double>(batch));
  if (!numbers()) return true;
  if (!known(a.type) || !known(b.type) || !known(c.type) || !known(d.type)) return false;
  std::vector<double> sums(static_cast<std::size_t>(m));
  for (long long one = 0; one < batch; ++one) {
    const auto left = gathered(a, one, m, k), right = gathered(b, one, k, n);
    for (long long column = 0; column < n; ++column) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (long long i = 0; i < k; ++i) {
        const double factor = right[static_cast<std::size_t>(column * k + i)];
        const float* values = left.data() + i * m;
        for (long long row = 0; row < m; ++row) sums[static_cast<std::size_t>(row)] += values[row] * factor;
      }
      for (long long row = 0; row < m; ++row) {
        const auto place = [&](const Matrix& x) {
          return x.stride * one + (x.transposed ? row * x.leading + column : column * x.leading + row);
        };
        float value = alpha * static_cast<float>(sums[static_cast<std::size_t>(row)]);
        if (beta != 0) value += beta * read(c.at, c.type, place(c));
        if (bias) value += read(bias, d.type, row);
        write(d.at, d.type, place(d), value);
      }
    }
  }
  return true;
}

}  // namespace fake_cuda
