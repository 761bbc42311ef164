// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstdint>

namespace roadtune::studio {

// What a machine has to train with, as far as it was asked.
struct MachineMeans {
  bool known = false;
  int gpus = 0;
  std::uint64_t gpuMemory = 0;  // of the smallest card
  std::uint64_t memory = 0;
  QString gpuName;
};

}  // namespace roadtune::studio
