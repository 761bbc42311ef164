// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::remote {

inline constexpr const char* kTorchVersion = "2.11.0";

// What the trainer of this machine loads of torch, for a machine that cannot get it by itself.
struct TorchParts {
  struct File {
    std::filesystem::path source;
    std::string target;  // below the folder of the packages: "torch/lib/libc10.so", "nvidia/cu13/lib/libcudart.so.13"
    std::uint64_t bytes = 0;
  };
  // The libraries find each other by where they lie, so they keep their folders. libtorch_cuda.so comes last: where it
  // is, everything is.
  std::vector<File> files;
  std::string version;  // content of torch/version.py
  bool cards = false;   // with what the GPU plugin needs
  std::uint64_t bytes() const;
};

// The plugin beside the programs, or an empty path where it was not built.
std::filesystem::path pluginHere();

// `cards`: for a machine with graphics cards. Where this machine has not got the GPU half, the other one alone.
Result<TorchParts> torchHere(bool cards);

}  // namespace roadtune::remote
