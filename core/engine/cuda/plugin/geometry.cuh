// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Groups of lanes on the device, and how work is cut into blocks.
#include "core/engine/cuda/kernel_args.h"

#include <cuda_runtime.h>

namespace roadtune::engine::cuda {

__device__ inline float warpSum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__device__ inline float warpHighest(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

// One warp per row; several warps to a block.
struct WarpLanes {
  __device__ int lane() const { return threadIdx.x & 31; }
  __device__ int size() const { return 32; }
  __device__ float sum(float value) const { return warpSum(value); }
  __device__ float highest(float value) const { return warpHighest(value); }
};

// One block per row; blockDim.x is a multiple of 32, and all threads call alike.
struct BlockLanes {
  __device__ int lane() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
  __device__ float sum(float value) const {
    return gathered(warpSum(value), 0.0f, [](float x) { return warpSum(x); });
  }
  __device__ float highest(float value) const {
    return gathered(warpHighest(value), -INFINITY, [](float x) { return warpHighest(x); });
  }

 private:
  // The warps' results, reduced once more by every warp.
  template <class Reduce>
  __device__ static float gathered(float ofWarp, float none, Reduce reduce) {
    __shared__ float parts[32];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    __syncthreads();  // what an earlier call left has been read
    if (lane == 0) parts[warp] = ofWarp;
    __syncthreads();
    return reduce(lane < blockDim.x / 32 ? parts[lane] : none);
  }
};

inline unsigned blocksFor(std::int64_t count, int each) { return static_cast<unsigned>((count + each - 1) / each); }

// Threads for a row of so many packs: whole warps, at most 1024.
inline unsigned threadsFor(std::int64_t packs) {
  const std::int64_t whole = (packs + 31) / 32 * 32;
  return static_cast<unsigned>(whole < 32 ? 32 : whole > 1024 ? 1024 : whole);
}

// The kernel over a grid of blocks of so many threads. Without nvcc: as a test runs it on the CPU.
template <class... Params, class... Args>
void start(void (*kernel)(Params...), dim3 grid, unsigned threads, cudaStream_t stream, const Args&... args) {
#ifdef __CUDACC__
  kernel<<<grid, threads, 0, stream>>>(args...);
#else
  (void)stream;
  blocks::run(grid, threads, [&] { kernel(args...); });
#endif
}

inline int lastError() { return static_cast<int>(cudaGetLastError()); }

template <class T>
struct Wide;  // values in 16 bytes
template <>
struct Wide<float> {
  static constexpr int kCount = 4;
};
template <>
struct Wide<Bf16> {
  static constexpr int kCount = 8;
};

inline bool aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

// Do all of them begin on 16 bytes? Null counts as yes.
template <class... Pointers>
bool aligned(const void* first, Pointers... rest) {
  return aligned(first) && (aligned(rest) && ...);
}

template <int N>
struct Count {
  static constexpr int kCount = N;
};

template <class Work>
void typed(Element type, Work&& work) {
  if (type == Element::Float)
    work(float{});
  else
    work(Bf16{});
}

// work(value of the element's type, Count<N>): N values fill 16 bytes where rows of `width` and all pointers allow.
template <class Work, class... Pointers>
void packed(Element type, std::int64_t width, Work&& work, Pointers... pointers) {
  typed(type, [&](auto t) {
    constexpr int kWide = Wide<decltype(t)>::kCount;
    if (width % kWide == 0 && aligned(pointers...))
      work(t, Count<kWide>{});
    else
      work(t, Count<1>{});
  });
}

}  // namespace roadtune::engine::cuda
