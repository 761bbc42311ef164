// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/host_memory.h"

#include <limits>
#include <malloc.h>

namespace roadtune::engine {

void keepFreedMemory() {
  constexpr int kLargest = 32 << 20;  // that the allocator keeps
  ::mallopt(M_MMAP_THRESHOLD, kLargest);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

void returnFreedMemory() { ::malloc_trim(0); }

}  // namespace roadtune::engine
