// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernel_table.h"

namespace roadtune::engine::cuda {

// The kernels' arithmetic in plain loops over memory of the CPU: the reference that a device is compared with, and a
// way to run the whole engine through the kernels' code where there is no GPU.
const KernelTable& hostKernels();

}  // namespace roadtune::engine::cuda
