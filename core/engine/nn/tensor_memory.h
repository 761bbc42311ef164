// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace roadtune::engine {

// Memory that tensors hold, as the allocator hands it out: on the CPU, or on the GPU in use. Counting starts with the
// first call of countTensorMemory(); call it before there are tensors. All functions may be called from any thread.
struct TensorMemory {
  std::int64_t now = 0;
  std::int64_t peak = 0;  // since the start, or the last restart
};

void countTensorMemory();
TensorMemory tensorMemory();
void restartTensorPeak();  // from what is held now

}  // namespace roadtune::engine
