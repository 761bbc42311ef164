// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/image_keys.h"

#include "core/base/hash.h"

namespace roadtune::data {
namespace {

// Of a path from the root the end: folders of data move as a whole.
std::string_view lastingName(std::string_view name) {
  if (!name.starts_with('/')) return name;
  const auto file = name.rfind('/'), folder = file == 0 ? file : name.rfind('/', file - 1);
  return name.substr(folder + 1);
}

std::int64_t keyOf(std::string_view name, std::uint64_t before) {
  const std::uint64_t hash = hash64(name, before);
  return static_cast<std::int64_t>(hash | (std::uint64_t{1} << 63));
}

}  // namespace

ImageKeys::ImageKeys(const Index& index) : m_index(index), m_segments(index.segmentCount()) {
  for (std::uint32_t number = 0; number < m_segments.size(); ++number) {
    const ImageId first = index.firstImage(number), end = index.firstImage(number + 1);
    auto& [keys, images] = m_segments[number];
    std::unordered_map<std::string_view, std::uint64_t> before;  // of each name
    for (ImageId image = first; image < end; ++image) {
      const auto name = lastingName(index.segment(number).imageName(image - first));
      if (name.empty()) continue;
      keys.resize(end - first);  // 0: that image has none
      keys[image - first] = keyOf(name, before[name]++);
      images.emplace(keys[image - first], image);
    }
  }
}

std::int64_t ImageKeys::of(ImageId image) const {
  const auto [segment, row] = m_index.locate(image);
  const auto& keys = m_segments[segment].keys;
  return keys.empty() || keys[row] == 0 ? m_index.image(image).timestamp : keys[row];
}

std::optional<ImageId> ImageKeys::find(std::string_view segment, std::int64_t key, Camera camera) const {
  if (key >= 0) return m_index.find(segment, key, camera);
  const auto number = m_index.findSegment(segment);
  if (!number) return std::nullopt;
  const auto& images = m_segments[*number].images;
  const auto found = images.find(key);
  return found == images.end() ? std::nullopt : std::optional<ImageId>(found->second);
}

}  // namespace roadtune::data
