// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/engine/cuda/plugin_table.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace roadtune::engine::cuda {

// Is a driver installed (libcuda.so.1)? Asks nothing of it.
bool driverInstalled();

// Opens libroadtune_cuda.so and, before it, the GPU half of the torch this program runs with. Refuses one of another
// release, naming both. The file stays open for good. Must come before the first use of autograd or of a torch context.
Result<const PluginTable*> openPlugin(const std::filesystem::path& file);

// The plugin beside this program: $ROADTUNE_CUDA_PLUGIN, lib/roadtune beside bin, or this program's folder.
Result<std::filesystem::path> findPlugin();

// May a plugin compiled for `architectures` ("80 90 100 100+PTX") run on a device of this compute capability?
bool suits(const std::string& architectures, int major, int minor);

// Driver, plugin and device `index`, ready for torch. Every call after the first gives the same plugin.
Result<const PluginTable*> startDevice(int index);

// The plugin of the device in use; null while everything computes on the CPU.
const PluginTable* activePlugin();
int activeIndex();  // of that device

}  // namespace roadtune::engine::cuda
