// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <c10/core/Device.h>

#include <optional>
#include <string>
#include <vector>

namespace roadtune::engine {

// Which device a process computes on. `name` is cpu, cuda, cuda:N or auto (or empty: cpu). With cuda the rank takes the
// GPU of its number on this machine, or gpus[number] where a list is given; with auto likewise when a driver and a
// usable GPU are there, else the CPU (and a line on standard error when there is a driver but no usable GPU). Loads the
// GPU plugin; must come before anything else uses torch. What is missing is named.
Result<at::Device> openDevice(const std::string& name, int localRank = 0, const std::vector<std::int64_t>& gpus = {});

// From now on, only kernels that give the same bits every time; where torch has none it says so on standard error.
// Before the first product on a GPU.
void useDeterministicKernels();

// While it lives, torch's kernels that add in any order are left out, where useDeterministicKernels() was called: with
// only a warning asked for, attention keeps them. An operation that has no other kernel is an error meanwhile.
class OnlyDeterministic {
 public:
  OnlyDeterministic();
  ~OnlyDeterministic();
  OnlyDeterministic(const OnlyDeterministic&) = delete;
  OnlyDeterministic& operator=(const OnlyDeterministic&) = delete;
};

// The GPU that this process computes on; nothing on the CPU.
struct GpuMeans {
  std::string name;
  double bytes = 0;  // of memory
};
std::optional<GpuMeans> gpuInUse();

}  // namespace roadtune::engine
