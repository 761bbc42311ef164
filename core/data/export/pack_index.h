// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/export/pack_shards.h"

#include <filesystem>
#include <vector>

namespace roadtune::data {

// Makes `out` an index of the packed images: the labels of `index`, the pictures in the shards. places[i] belongs to
// images[i]; images are sorted.
Status writePackIndex(const Index& index, const std::vector<ImageId>& images, const std::vector<PackPlace>& places,
                      const std::vector<PackShard>& shards, const std::filesystem::path& out);

}  // namespace roadtune::data
