// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/renumbered.h"

namespace roadtune::data {

std::optional<std::vector<ImageId>> renumbered(const Index& from, const Index& to, const std::vector<ImageId>& images) {
  std::vector<std::optional<ImageId>> firsts;  // of the images of each recording
  for (std::size_t i = 0; i < from.segmentCount(); ++i) {
    const auto same = to.findSegment(from.segment(i).info().name);
    const auto count = [](const Index& index, std::size_t at) {
      return index.firstImage(at + 1) - index.firstImage(at);
    };
    firsts.push_back(same && count(to, *same) == count(from, i) ? std::optional(to.firstImage(*same)) : std::nullopt);
  }
  std::vector<ImageId> now;
  now.reserve(images.size());
  for (const ImageId image : images) {
    const std::uint32_t segment = from.locate(image).first;
    if (!firsts[segment]) return {};
    now.push_back(*firsts[segment] + (image - from.firstImage(segment)));
  }
  return now;
}

}  // namespace roadtune::data
