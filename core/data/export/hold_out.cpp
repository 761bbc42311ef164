// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/hold_out.h"

#include "core/base/hash.h"
#include "core/data/index/image_group.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace roadtune::data {

std::pair<std::vector<ImageId>, std::vector<ImageId>> holdOutGroups(const Index& index,
                                                                    const std::vector<ImageId>& images, double share,
                                                                    std::uint64_t seed) {
  std::vector<std::uint64_t> places;  // of each image, by what its group is called
  places.reserve(images.size());
  for (const ImageId image : images) places.push_back(mix64(seed ^ hash64(groupOf(index, image))));
  const std::set<std::uint64_t> drawn(places.begin(), places.end());
  auto count = static_cast<std::size_t>(std::llround(share * static_cast<double>(drawn.size())));
  if (share > 0 && drawn.size() > 1) count = std::clamp<std::size_t>(count, 1, drawn.size() - 1);
  const auto end = std::next(drawn.begin(), static_cast<std::ptrdiff_t>(std::min(count, drawn.size())));
  std::pair<std::vector<ImageId>, std::vector<ImageId>> result;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const bool heldOut = end == drawn.end() ? count > 0 : places[i] < *end;
    (heldOut ? result.second : result.first).push_back(images[i]);
  }
  return result;
}

}  // namespace roadtune::data
