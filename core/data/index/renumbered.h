// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <optional>
#include <vector>

namespace roadtune::data {

// The same images in an index that has come to hold more; none where one of them is not there as it was.
std::optional<std::vector<ImageId>> renumbered(const Index& from, const Index& to, const std::vector<ImageId>& images);

}  // namespace roadtune::data
