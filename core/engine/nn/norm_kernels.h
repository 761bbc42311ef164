// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

namespace roadtune::engine {

// Is there a kernel for this tensor (CPU, float32 or bfloat16)?
bool rmsNormKernelTakes(const at::Tensor& x);

// y = x / rms(x) * (1 + gain) row by row in float32; `inverse` receives 1 / rms of each row. All contiguous.
void rmsNormForward(const at::Tensor& x, const at::Tensor& gain, double eps, at::Tensor& y, at::Tensor& inverse);

// Gradients of x and, when defined, of gain (float32). The result does not depend on the number of threads.
void rmsNormBackward(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& gain, const at::Tensor& inverse,
                     at::Tensor& forInput, at::Tensor& forGain);

}  // namespace roadtune::engine
