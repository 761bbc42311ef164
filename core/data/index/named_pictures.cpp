// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/named_pictures.h"

#include <fmt/format.h>

#include <tuple>

namespace roadtune::data {

namespace fs = std::filesystem;

std::string pictureName(const fs::path& file, const fs::path& base) {
  const fs::path relative = file.lexically_relative(base);
  return relative.empty() ? file.string() : relative.string();
}

bool takePicture(const fs::path& file, const fs::path& base, RecordedImage& image) {
  image.file = RecordedImage::kExternal;
  image.name = pictureName(file, base);
  if (image.width > 0 && image.height > 0) {
    image.corrupt = !beginsAsPicture(file);
  } else if (const auto size = imageSizeOfFile(file)) {
    std::tie(image.width, image.height) = *size;
  } else {
    image.corrupt = true;
  }
  return !image.corrupt;
}

NamedPictures::NamedPictures(const ImportUnit& unit, const fs::path& place)
    : m_base(unit.base), m_lookup(place, unit.imageFolders) {}

void NamedPictures::take(const std::vector<std::string>& names, RecordedImage& image) {
  for (const std::string& name : names) {
    const auto file = m_lookup.find(name);
    if (!file) continue;
    m_damaged += !takePicture(*file, m_base, image);
    return;
  }
  ++m_lost;
}

void NamedPictures::tell(const fs::path& file, RecordingSink& sink) const {
  const auto count = [&](std::size_t number, const char* what, const char* done) {
    if (number > 0)
      sink.problem(
          {.file = file.string(), .what = fmt::format("{} pictures {}", number, what), .done = done, .picture = true});
  };
  count(m_lost, "were not found", "their labels are kept, without a picture");
  count(m_damaged, "cannot be read", "they stay in the index, marked as damaged");
}

}  // namespace roadtune::data
