// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of a card that is none: addresses are reserved and counted, pages exist once something is written to them.
#pragma once

#include <cstddef>

namespace fake_cuda {

std::size_t cardBytes();  // FAKE_CUDA_GIB, 141 as an H200 has
std::size_t freeBytes();
bool take(std::size_t bytes);  // false: that much is not left
void give(std::size_t bytes);

void* reserve(std::size_t bytes);  // addresses alone
void unreserve(void* address, std::size_t bytes);

void* allocate(std::size_t bytes);  // null: out of memory
bool release(void* address);

bool onCard(const void* address);
bool pinned(const void* address);
void* allocatePinned(std::size_t bytes);
bool releasePinned(void* address);

bool numbers();  // is everything worked out? Else what is large is not copied, and products and kernels do nothing

void copy(void* to, const void* from, std::size_t bytes);
void fill(void* at, int value, std::size_t bytes);

}  // namespace fake_cuda

// For who can work out torch's kernels (numbers/): from now on numbers() is true.
extern "C" void fake_cuda_work_out();
