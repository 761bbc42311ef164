// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "core/data/source/sample_source.h"

#include <cstdint>
#include <vector>

namespace roadtune::data {

// Does the task have something to say about this image? Questions and captions of the source always count; detection
// needs somebody who looked, and a wanted box unless empty answers are asked for.
bool taskCovers(const Index& index, ImageId image, const TaskTemplate& task, const std::vector<std::uint8_t>& classes);

// Writes prefix, suffix and boxes of a sample. `classes` are the template's classes as numbers of the index.
void writeTaskText(const Index& index, ImageId image, const TaskTemplate& task,
                   const std::vector<std::uint8_t>& classes, std::uint64_t epoch, Sample& sample);

}  // namespace roadtune::data
