// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <string>

namespace roadtune::data {

// What an image must not be separated from when some are set apart: its recording, or where it has none, all that is
// known of the same picture.
std::string groupOf(const Index& index, ImageId image);

}  // namespace roadtune::data
