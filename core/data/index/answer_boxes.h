// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/class_list.h"
#include "core/data/index/problem.h"
#include "core/data/index/recording.h"

#include <optional>

namespace roadtune::data {

// Makes boxes of the <loc> words in the answer of an image whose size is known, so that they can be seen and searched.
// A problem, without its place, where some of them are no box: an answer of which nothing could be read does not say
// that nothing is there, and the image is not labelled then.
std::optional<Problem> addAnsweredBoxes(RecordedImage& image, ClassList& classes);

// A question or a caption says nothing about which boxes there are.
bool saysWhatIsThere(const RecordedImage& image);

}  // namespace roadtune::data
