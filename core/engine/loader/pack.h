// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/pali_gemma.h"

namespace roadtune::engine {

// Bringing rows into the rectangle of attention and back costs about as much as this share of padding.
constexpr double kLeastPadding = 1.0 / 64;

// Notes where the tokens of a batch stand, so that a pass works on them alone; not where less than `least` of the batch
// is padding, nor where something is to be learned in the place of padding.
void packTokens(Batch& batch, double least = kLeastPadding);

}  // namespace roadtune::engine
