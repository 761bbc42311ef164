// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_table.h"

#include <cstddef>
#include <cstdint>

namespace roadtune::engine {
class Communicator;
struct RankEnvironment;
}  // namespace roadtune::engine

namespace roadtune::engine::cuda {

inline constexpr std::uint32_t kPluginApi = 10;
inline constexpr const char* kPluginEntry = "roadtune_cuda_plugin";

struct DeviceFacts {
  char name[256];
  int major, minor;  // compute capability
  std::uint64_t totalBytes, freeBytes;
  int processors;
};

struct MemoryFacts {
  std::uint64_t allocated, peak, reserved, peakReserved;
};

// Ranks that compute on GPUs meet over NCCL; what they say about numbers on the CPU goes through `host`.
struct NcclRequest {
  int rank, size, device, timeoutSeconds;
  const char* address;
  int port;
  const char* name;  // of the group
  Communicator* host;
};

// What libroadtune_cuda.so offers. Strings are static. Functions do not throw; those with `error` leave words there.
struct PluginTable {
  std::uint32_t api;          // kPluginApi
  std::uint32_t bytes;        // sizeof(PluginTable)
  const char* version;        // of Roadtune
  const char* torch;          // that it was compiled against
  const char* architectures;  // "80 90 100 100+PTX"
  int (*driverVersion)();     // 13000 for CUDA 13.0; 0: no driver
  int (*runtimeVersion)();
  int (*deviceCount)(char* error, std::size_t size);  // -1 with words
  bool (*describe)(int device, DeviceFacts& facts, char* error, std::size_t size);
  // Prepares torch and the allocator for this device, and runs one kernel there.
  bool (*start)(int device, char* error, std::size_t size);
  MemoryFacts (*memory)(int device);
  void (*restartPeak)(int device);  // peaks count from now on
  Communicator* (*connectNccl)(const NcclRequest& request, char* error, std::size_t size);
  const KernelTable* kernels;
};

using PluginEntry = const PluginTable* (*)();

}  // namespace roadtune::engine::cuda
