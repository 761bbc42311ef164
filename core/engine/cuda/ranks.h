// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/dist/communicator.h"

#include <c10/core/Device.h>

namespace roadtune::engine::cuda {

// The communicator for ranks that compute on `device`: NCCL beside `host` where `backend` is "nccl" (or "auto" with a
// GPU), else `host` with copies over the CPU. One rank, or ranks on the CPU, keep `host` as it is.
Result<std::unique_ptr<Communicator>> ranksOn(const at::Device& device, const std::string& backend,
                                              std::unique_ptr<Communicator> host, const RankEnvironment& environment,
                                              int timeoutSeconds);

}  // namespace roadtune::engine::cuda
