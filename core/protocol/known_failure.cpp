// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/known_failure.h"

#include "core/base/text.h"

#include <array>

namespace roadtune::protocol {

namespace {

enum class After { Never, MayPass, OfAnother };

struct Signature {
  const char* pattern;  // in lower case
  const char* id;
  const char* title;
  const char* advice;
  After after = After::Never;
};

constexpr const char* kLessGpuMemory =
    "gradient_checkpointing: true, a smaller per_device_train_batch_size with more accumulation, or qlora";
constexpr const char* kLessMemory = "a smaller per_device_train_batch_size, or fewer dataloader_num_workers";
constexpr const char* kPeer = "look for the rank that ended or stalled first; roadtune fleet check tries the network";

// The most specific first.
constexpr std::array kSignatures = {
    Signature{"cuda out of memory", "out-of-gpu-memory", "The card ran out of memory", kLessGpuMemory},
    Signature{"cuda error: out of memory", "out-of-gpu-memory", "The card ran out of memory", kLessGpuMemory},
    Signature{"no space left on device", "disk-full", "The disk is full", "free some space, or lower save_total_limit"},
    Signature{"disk quota exceeded", "disk-full", "The quota is used up", "free some space, or lower save_total_limit"},
    Signature{"cuda driver version is insufficient", "driver-too-old", "The driver is older than the CUDA libraries",
              "install a newer driver on that machine"},
    Signature{"undefined symbol", "version-mismatch", "A library is of another version than the program",
              "install the torch that roadtune fleet check names on every machine"},
    Signature{"version `glibc", "version-mismatch", "The system is older than the program",
              "Debian 12, Ubuntu 24.04 or later on that machine"},
    Signature{"error while loading shared libraries", "version-mismatch", "A library is missing",
              "roadtune fleet check names it"},
    Signature{": the step was not applied", "non-finite", "The loss was not a number",
              "a lower learning_rate or more warmup_steps, and a look at the samples of that step"},
    Signature{"illegal memory access", "cuda-error", "A kernel read or wrote outside its memory",
              "run once more with environment: {CUDA_LAUNCH_BLOCKING: 1}; report it with the log", After::MayPass},
    Signature{"watchdog caught collective operation timeout", "nccl-timeout", "A collective did not come to its end",
              "look for the rank that died or stalled first; check the network between the machines", After::MayPass},
    // Over NCCL the ranks that are left say this, in words that begin with "NCCL error".
    Signature{"remote process exit", "peer-lost", "Another rank went away", kPeer, After::OfAnother},
    Signature{"nccl error", "nccl-error", "NCCL failed",
              "nccl_debug: INFO and nccl_socket_ifname, and run roadtune fleet check", After::MayPass},
    Signature{"cuda error", "cuda-error", "The card reported an error", "see dmesg for Xid messages on that machine",
              After::MayPass},
    Signature{"can't allocate memory", "out-of-memory", "The machine ran out of memory", kLessMemory},
    Signature{"std::bad_alloc", "out-of-memory", "The machine ran out of memory", kLessMemory},
    Signature{"cannot allocate memory", "out-of-memory", "The machine ran out of memory", kLessMemory},
    Signature{"another machine does not answer any more", "machine-lost", "Another machine does not answer any more",
              "look whether it is on; roadtune fleet check tries the network", After::MayPass},
    Signature{"connection closed by peer", "peer-lost", "Another rank went away", kPeer, After::OfAnother},
    Signature{"connection reset by peer", "peer-lost", "Another rank went away", kPeer, After::OfAnother},
    Signature{"broken pipe", "peer-lost", "Another rank went away", kPeer, After::OfAnother},
    Signature{"timed out waiting", "collective-timeout", "Ranks waited too long for another one",
              "look for the rank that stalled; ddp_timeout is how long they wait", After::OfAnother},
    Signature{"wait timeout", "collective-timeout", "Ranks waited too long for another one",
              "look for the rank that stalled; ddp_timeout is how long they wait", After::OfAnother},
    Signature{"connection refused", "no-connection", "Ranks could not reach each other",
              "check master_addr, master_port and the firewall: roadtune fleet check", After::MayPass},
};

}  // namespace

std::optional<KnownFailure> explainLog(const std::vector<std::string>& lines) {
  for (const Signature& signature : kSignatures)
    for (const std::string& line : lines)
      if (lower(line).find(signature.pattern) != std::string::npos)
        return KnownFailure{.id = signature.id,
                            .title = signature.title,
                            .line = std::string(trim(line)).substr(0, 300),
                            .advice = signature.advice,
                            .transient = signature.after != After::Never,
                            .consequence = signature.after == After::OfAnother};
  return {};
}

}  // namespace roadtune::protocol
