// SPDX-License-Identifier: GPL-3.0-or-later
// How compiled CUDA code registers and starts its kernels. Each start is counted under the kernel's name; where numbers
// are worked out nothing should get this far.
#include "card.h"
#include "tally.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <map>
#include <mutex>
#include <string>

namespace {

struct Launch {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

thread_local Launch configured;

std::mutex mutex;

std::map<const void*, const char*>& kernelNames() {
  static auto* names = new std::map<const void*, const char*>;  // code registers itself before and after all else
  return *names;
}

std::string nameOf(const void* function) {
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = kernelNames().find(function);
  if (found == kernelNames().end()) return "unknown";
  int status = 0;
  char* words = abi::__cxa_demangle(found->second, nullptr, nullptr, &status);
  std::string name = words ? words : found->second;
  std::free(words);
  return name;
}

double threadsOf(const dim3& grid, const dim3& block) {
  return 1.0 * grid.x * grid.y * grid.z * block.x * block.y * block.z;
}

cudaError_t start(const void* function, const dim3& grid, const dim3& block) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x * block.y * block.z == 0 ||
      block.x * block.y * block.z > 1024)
    return cudaErrorInvalidConfiguration;
  if (fake_cuda::numbers()) {
    std::fprintf(stderr, "a card that is none cannot work this out: %s\n", nameOf(function).c_str());
    std::abort();
  }
  if (fake_cuda::broken()) return cudaErrorIllegalAddress;
  fake_cuda::countKernel(nameOf(function), threadsOf(grid, block));
  return cudaSuccess;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

void __cudaRegisterFunction(void**, const char* function, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  const std::lock_guard<std::mutex> lock(mutex);
  kernelNames()[function] = name;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  configured = {grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = configured.grid;
  *block = configured.block;
  *shared = configured.shared;
  *static_cast<cudaStream_t*>(stream) = configured.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void**, std::size_t, cudaStream_t) {
  return start(kernel, grid, block);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void**, std::size_t, cudaStream_t) {
  return start(function, grid, block);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void**) {
  return start(function, config->gridDim, config->blockDim);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->binaryVersion = attributes->ptxVersion = 90;
  attributes->maxDynamicSharedSizeBytes = 227 << 10;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads, std::size_t,
                                                                   unsigned) {
  *blocks = threads > 0 ? 2048 / threads : 0;
  return cudaSuccess;
}

}  // extern "C"
