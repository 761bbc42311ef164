// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loader/encoded_sample.h"
#include "core/engine/nn/pali_gemma.h"

#include <vector>

namespace roadtune::engine {

// Samples padded on the left to the longest of them, as tensors. Needs at least one.
Batch collate(const std::vector<EncodedSample>& samples, int imageSize, std::int64_t padId,
              std::int64_t multipleOf = 1);  // the length

}  // namespace roadtune::engine
