// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <library_types.h>

namespace fake_cuda {

// Column after column, `leading` elements apart; `stride` elements to the next of a batch.
struct Matrix {
  void* at = nullptr;
  cudaDataType type = CUDA_R_32F;
  long long leading = 0, stride = 0;
  bool transposed = false;
};

struct Sizes {
  long long m = 0, n = 0, k = 0, batch = 1;
};

// d [m, n] = alpha a [m, k] b [k, n] + beta c + bias [m], with sums in float64. Counted; worked out where numbers()
// says so. False: of a type that is neither float32 nor bfloat16.
bool product(const Sizes& sizes, float alpha, const Matrix& a, const Matrix& b, float beta, const Matrix& c,
             const Matrix& d, const void* bias);

}  // namespace fake_cuda
