// SPDX-License-Identifier: GPL-3.0-or-later
// What the program under test asked of its card, for whoever looks afterwards.
#pragma once

#include <cstddef>
#include <string>

namespace fake_cuda {

void countKernel(const std::string& name, double threads);
void countProduct(double m, double n, double k, double batch);
std::size_t kernelsSoFar();
bool broken();  // after FAKE_CUDA_BREAKS_AFTER kernels whatever is asked of the card fails, as after an illegal address
// The host stands still until the card has done what it was asked before the last so many kernels.
void countWait(const char* call, std::size_t behind);
void countCopy(const char* way, std::size_t bytes);

}  // namespace fake_cuda
