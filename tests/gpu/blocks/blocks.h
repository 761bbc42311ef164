// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>

// Runs the plugin's kernels on the CPU as a GPU would: blocks of threads that meet at barriers and exchange values
// within warps of 32. One thread at a time, each with a stack of its own. Threads that would wait for ever on a GPU
// are an error here.
namespace roadtune::blocks {

struct Size {
  unsigned x = 1, y = 1, z = 1;
};

// Of the thread that asks.
struct Place {
  Size thread, block, size;  // within the block; of the block in the grid; of every block
};
const Place& place();

void meet();                                 // __syncthreads
float partner(float value, unsigned other);  // __shfl_xor_sync by all lanes of a warp

// Every block, one after the other.
void run(Size grid, unsigned threads, const std::function<void()>& body);

// What went wrong since the last call; 0 when nothing did.
int takeError();
const char* errorText(int code);

}  // namespace roadtune::blocks
