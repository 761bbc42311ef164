// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/image/image.h"

namespace roadtune::data {

// Auto takes AVX2 where the processor has it; both give the same bits.
enum class ResizeKernel { Auto, Scalar, Avx2 };

// Exactly what Image.resize((width, height), BICUBIC) of Pillow computes: a = -0.5 with the support widened when
// shrinking, 22-bit fixed point, rows first and columns after, with 8-bit values between the two.
Result<Image> resizeBicubic(const Image& image, int width, int height, ResizeKernel kernel = ResizeKernel::Auto);

}  // namespace roadtune::data
