// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_table.h"

#include <ATen/core/Tensor.h>

namespace roadtune::engine::cuda {

// The kernels that take tensors like `x` (float32 or bfloat16): the plugin's for a GPU; on the CPU those of
// host_kernels.h when they were asked for; null where plain torch computes. ROADTUNE_KERNELS in the environment: `off`
// leaves a GPU to plain torch, `host` runs the kernels' arithmetic on the CPU (slow; for comparisons).
const KernelTable* kernelsFor(const at::Tensor& x);
const KernelTable* kernelsOn(const at::Device& device);  // for tensors of those types there

// The same for tests, whatever the environment says: a table for tensors of the CPU, or none.
void useOnHost(const KernelTable* kernels);

// The GPU in use, where its kernels are used; else `otherwise`.
at::Device activeDevice(const at::Device& otherwise);

Element elementOf(const at::Tensor& x);

// Throws as torch does when a kernel could not be started.
void started(const KernelTable& kernels, int code, const char* what);

}  // namespace roadtune::engine::cuda
