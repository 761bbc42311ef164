// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/augment.h"
#include "core/data/source/sample_source.h"

namespace roadtune::data {

// Changes a sample's picture at random and its answer along with it: boxes move, those that (nearly) leave the picture
// are dropped, and the answer is written anew in the sample's own order. Boxes are the sample's, or those its answer
// spells out in <loc> tokens. Text without boxes is only recoloured and mirrored, and not mirrored when it speaks of
// left or right; an answer with <loc> or <seg> tokens that is no list of boxes is only recoloured.
// Equal for equal arguments on every machine.
void augmentSample(const AugmentSpec& spec, std::uint64_t seed, Image& image, Sample& sample);

}  // namespace roadtune::data
