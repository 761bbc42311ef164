// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/ranks.h"

#include "core/engine/cuda/plugin.h"
#include "core/engine/dist/staged.h"

#include <array>
#include <cstdlib>

namespace roadtune::engine::cuda {

Result<std::unique_ptr<Communicator>> ranksOn(const at::Device& device, const std::string& backend,
                                              std::unique_ptr<Communicator> host, const RankEnvironment& environment,
                                              int timeoutSeconds) {
  if (host->size() == 1 || device.is_cpu()) return host;
  if (backend == "gloo") return staged(std::move(host));
  // A rank whose network fails ends at once, so that its agent can end the others; the last calls are kept for a look.
  ::setenv("TORCH_NCCL_ASYNC_ERROR_HANDLING", "1", 0);
  ::setenv("TORCH_NCCL_DUMP_ON_TIMEOUT", "1", 0);
  const char* restart = std::getenv("TORCHELASTIC_RESTART_COUNT");
  const auto name = std::string("roadtune-nccl/") + (restart ? restart : "0");
  const NcclRequest request{
      environment.rank,       environment.worldSize, device.index(), timeoutSeconds, environment.masterAddress.c_str(),
      environment.masterPort, name.c_str(),          host.release()};
  std::array<char, 1024> words{};
  auto* ranks = activePlugin()->connectNccl(request, words.data(), words.size());
  if (!ranks)
    return failed(std::string("the GPUs cannot speak to each other over NCCL: ") + words.data(), "ddp_backend",
                  "set NCCL_DEBUG=INFO to see why, or ddp_backend: gloo");
  return std::unique_ptr<Communicator>(ranks);
}

}  // namespace roadtune::engine::cuda
