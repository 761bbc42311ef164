// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/image/image.h"

#include <string>

namespace roadtune::data {

enum class ChromaSampling { Full, Half };  // 4:4:4, 4:2:0

// Baseline JPEG; `quality` is that of the IJG, 1..100. Waymo's own pictures are 4:2:0 at 90.
Result<std::string> encodeJpeg(const Image& image, int quality = 90, ChromaSampling sampling = ChromaSampling::Half);

Result<std::string> encodePng(const Image& image, int level = 6);

// "P6" with the pixels as they are.
std::string encodePpm(const Image& image);

}  // namespace roadtune::data
