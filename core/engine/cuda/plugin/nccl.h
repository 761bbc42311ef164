// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/plugin_table.h"

namespace roadtune::engine::cuda {

// A communicator whose tensors on the GPU travel over NCCL and whose tensors on the CPU go through request.host, which
// it takes over. Throws as torch does.
Communicator* connectNccl(const NcclRequest& request);

}  // namespace roadtune::engine::cuda
