// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/segment_split.h"

#include "core/base/hash.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace roadtune::data {

std::pair<std::vector<ImageId>, std::vector<ImageId>> splitBySegment(const Index& index,
                                                                     const std::vector<ImageId>& images, double share,
                                                                     std::uint64_t seed) {
  std::set<std::uint32_t> present;
  for (const ImageId image : images) present.insert(index.locate(image).first);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> drawn;
  for (const std::uint32_t segment : present)
    drawn.emplace_back(mix64(seed ^ hash64(index.segment(segment).info().name)), segment);
  std::sort(drawn.begin(), drawn.end());
  auto count = static_cast<std::size_t>(std::llround(share * static_cast<double>(drawn.size())));
  if (share > 0 && drawn.size() > 1) count = std::clamp<std::size_t>(count, 1, drawn.size() - 1);
  std::set<std::uint32_t> heldOut;
  for (std::size_t i = 0; i < std::min(count, drawn.size()); ++i) heldOut.insert(drawn[i].second);
  std::pair<std::vector<ImageId>, std::vector<ImageId>> result;
  for (const ImageId image : images)
    (heldOut.contains(index.locate(image).first) ? result.second : result.first).push_back(image);
  return result;
}

}  // namespace roadtune::data
