// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/image_keys.h"

#include "core/base/hash.h"

namespace roadtune::data {
namespace {

std::uint64_t placeOf(std::uint32_t segment, std::int64_t key) {
  return mix64(static_cast<std::uint64_t>(key) ^ mix64(segment));
}

// Of a path from the root the end: folders of data move as a whole.
std::string_view lastingName(std::string_view name) {
  if (!name.starts_with('/')) return name;
  const auto file = name.rfind('/'), folder = file == 0 ? file : name.rfind('/', file - 1);
  return name.substr(folder + 1);
}

}  // namespace

ImageKeys::ImageKeys(const Index& index) : m_index(index) {
  m_keys.reserve(index.imageCount());
  std::unordered_map<std::uint64_t, std::uint64_t> before;  // of each name in its segment
  for (ImageId image = 0; image < index.imageCount(); ++image) {
    const ImageInfo info = index.image(image);
    const auto name = lastingName(index.segment(info.segment).imageName(info.row));
    if (name.empty()) {
      m_keys.push_back(info.timestamp);
      continue;
    }
    const std::uint64_t hash = hash64(name), count = before[mix64(hash ^ info.segment)]++;
    const auto key = static_cast<std::int64_t>((count == 0 ? hash : mix64(hash + count)) | (std::uint64_t{1} << 63));
    m_keys.push_back(key);
    m_named.emplace(placeOf(info.segment, key), image);
  }
}

std::optional<ImageId> ImageKeys::find(std::string_view segment, std::int64_t key, Camera camera) const {
  if (key >= 0) return m_index.find(segment, key, camera);
  const auto number = m_index.findSegment(segment);
  if (!number) return std::nullopt;
  const auto found = m_named.find(placeOf(*number, key));
  return found == m_named.end() ? std::nullopt : std::optional<ImageId>(found->second);
}

}  // namespace roadtune::data
