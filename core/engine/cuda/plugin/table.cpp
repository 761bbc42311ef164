// SPDX-License-Identifier: GPL-3.0-or-later
// What libroadtune_cuda.so offers to the trainer.
#include "core/engine/cuda/plugin/launches.h"
#include "core/engine/cuda/plugin/nccl.h"
#include "core/engine/cuda/plugin_table.h"

#include <ATen/Context.h>
#include <c10/core/AllocatorConfig.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/headeronly/version.h>

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <exception>
#include <string_view>

namespace roadtune::engine::cuda {
namespace {

void say(char* error, std::size_t size, const char* words) {
  if (error && size > 0) std::snprintf(error, size, "%s", words);
}

bool worked(cudaError_t code, char* error, std::size_t size) {
  if (code == cudaSuccess) return true;
  say(error, size, cudaGetErrorString(code));
  cudaGetLastError();  // forget it
  return false;
}

int driverVersion() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

int runtimeVersion() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : 0;
}

int deviceCount(char* error, std::size_t size) {
  int count = 0;
  return worked(cudaGetDeviceCount(&count), error, size) ? count : -1;
}

bool describe(int device, DeviceFacts& facts, char* error, std::size_t size) {
  cudaDeviceProp properties{};
  if (!worked(cudaGetDeviceProperties(&properties, device), error, size)) return false;
  std::snprintf(facts.name, sizeof facts.name, "%s", properties.name);
  facts.major = properties.major;
  facts.minor = properties.minor;
  facts.processors = properties.multiProcessorCount;
  facts.totalBytes = properties.totalGlobalMem;
  std::size_t free = 0, total = 0;
  if (!worked(cudaSetDevice(device), error, size) || !worked(cudaMemGetInfo(&free, &total), error, size)) return false;
  facts.freeBytes = free;
  return true;
}

c10::DataPtr firstMemory() {
  constexpr const char *kVariable = "PYTORCH_ALLOC_CONF", *kWithout = "expandable_segments:False";
  auto* allocator = c10::cuda::CUDACachingAllocator::get();
  try {
    return allocator->allocate(1024);
  } catch (const std::exception&) {
    // GPUs of some virtual machines refuse them; what else is wrong comes up again.
    const char* asked = std::getenv(kVariable);
    if (!asked || std::string_view(asked) != "expandable_segments:True") throw;
    cudaGetLastError();
    c10::CachingAllocator::setAllocatorSettings(kWithout);
    ::setenv(kVariable, kWithout, 1);
    return allocator->allocate(1024);
  }
}

// cuDNN's attention gives wrong gradients for masks at some lengths, so it is off.
bool start(int device, char* error, std::size_t size) {
  try {
    c10::cuda::set_device(static_cast<c10::DeviceIndex>(device));
    auto& context = at::globalContext();
    context.lazyInitDevice(c10::DeviceType::CUDA);
    context.setSDPUseCuDNN(false);
    context.setBenchmarkCuDNN(false);
    context.setAllowTF32CuDNN(false);  // torch's default; products are exact by default already
    const auto probe = firstMemory();
    const auto stream = c10::cuda::getCurrentCUDAStream();
    auto* values = static_cast<float*>(probe.get());
    const Nf4QuantiseArgs args{values, reinterpret_cast<std::uint8_t*>(values + 128), values + 192, 64};
    return worked(cudaMemsetAsync(values, 0, 1024, stream.stream()), error, size) &&
           worked(static_cast<cudaError_t>(launchNf4Quantise(args, stream.stream())), error, size) &&
           worked(cudaStreamSynchronize(stream.stream()), error, size);
  } catch (const std::exception& problem) {
    say(error, size, problem.what());
    return false;
  }
}

MemoryFacts memory(int device) {
  using c10::CachingAllocator::StatType;
  const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(static_cast<c10::DeviceIndex>(device));
  const auto all = static_cast<std::size_t>(StatType::AGGREGATE);
  const auto bytes = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  return {bytes(stats.allocated_bytes[all].current), bytes(stats.allocated_bytes[all].peak),
          bytes(stats.reserved_bytes[all].current), bytes(stats.reserved_bytes[all].peak)};
}

void restartPeak(int device) { c10::cuda::CUDACachingAllocator::resetPeakStats(static_cast<c10::DeviceIndex>(device)); }

Communicator* connect(const NcclRequest& request, char* error, std::size_t size) {
  try {
    return connectNccl(request);
  } catch (const std::exception& problem) {
    say(error, size, problem.what());
    return nullptr;
  }
}

struct OnCurrentStream {
  template <auto launch, class Args>
  static int one(const Args& args) {
    return launch(args, c10::cuda::getCurrentCUDAStream().stream());
  }
};

const char* errorText(int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); }

constexpr KernelTable kKernels = kernelsOf<OnCurrentStream>(errorText);

constexpr PluginTable kPlugin{
    .api = kPluginApi,
    .bytes = sizeof(PluginTable),
    .version = ROADTUNE_VERSION,
    .torch = TORCH_VERSION,
    .architectures = ROADTUNE_CUDA_ARCHITECTURES,
    .driverVersion = driverVersion,
    .runtimeVersion = runtimeVersion,
    .deviceCount = deviceCount,
    .describe = describe,
    .start = start,
    .memory = memory,
    .restartPeak = restartPeak,
    .connectNccl = connect,
    .kernels = &kKernels,
};

}  // namespace
}  // namespace roadtune::engine::cuda

extern "C" __attribute__((visibility("default"))) const roadtune::engine::cuda::PluginTable* roadtune_cuda_plugin() {
  return &roadtune::engine::cuda::kPlugin;
}
