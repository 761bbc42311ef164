// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/pali_gemma.h"

namespace roadtune::engine {

// Bringing rows into the rectangle of attention and back costs about as much as this share of padding.
constexpr double kLeastPadding = 1.0 / 64;

// Notes where the tokens of a batch stand, so that a pass works on them alone; not where less than `least` of the batch
// is padding, nor where something is to be learned in the place of padding.
void packTokens(Batch& batch, double least = kLeastPadding);

// The same for attention that takes rows as they are (takesRows()): whatever is padding, and with the
// rows of prefixes and suffixes, so that no mask is needed. As above for batches that such attention cannot take.
void packExamples(Batch& batch);

// Of a batch of which labels alone are wanted: the rows that these are predicted from, so that its last block works on
// no others. Packs it where it is not packed yet.
void askForLabels(Batch& batch);

}  // namespace roadtune::engine
