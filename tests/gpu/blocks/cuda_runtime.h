// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The words of CUDA that the plugin's kernels use, for a compiler of plain C++ and blocks.h.
#include "tests/gpu/blocks/blocks.h"

#include <cmath>
#include <driver_types.h>

#define __global__
#define __device__
#define __shared__ static  // one block at a time
#define __launch_bounds__(...)

#define threadIdx (::roadtune::blocks::place().thread)
#define blockIdx (::roadtune::blocks::place().block)
#define blockDim (::roadtune::blocks::place().size)

struct dim3 : roadtune::blocks::Size {
  dim3(unsigned columns = 1, unsigned rows = 1) : Size{columns, rows, 1} {}
};

inline void __syncthreads() { roadtune::blocks::meet(); }
inline float __shfl_xor_sync(unsigned, float value, int other) {
  return roadtune::blocks::partner(value, static_cast<unsigned>(other));
}

inline int cudaGetLastError() { return roadtune::blocks::takeError(); }
