// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roadtune::data {

// What stays the same of an image when its segment is imported anew, beside segment and camera: its time; or, where
// images have names and no time but their place in a list, a negative number of the name and of how many of that name
// came before.
class ImageKeys {
 public:
  explicit ImageKeys(const Index& index);

  std::int64_t of(ImageId image) const;
  std::optional<ImageId> find(std::string_view segment, std::int64_t key, Camera camera) const;

 private:
  struct Segment {
    std::vector<std::int64_t> keys;  // of each row; none where no image has a name
    std::unordered_map<std::int64_t, ImageId> images;
  };

  const Index& m_index;
  std::vector<Segment> m_segments;
};

}  // namespace roadtune::data
