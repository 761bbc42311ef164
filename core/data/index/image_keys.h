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

  std::int64_t of(ImageId image) const { return m_keys[image]; }
  std::optional<ImageId> find(std::string_view segment, std::int64_t key, Camera camera) const;

 private:
  const Index& m_index;
  std::vector<std::int64_t> m_keys;
  std::unordered_map<std::uint64_t, ImageId> m_named;  // by segment and key
};

}  // namespace roadtune::data
