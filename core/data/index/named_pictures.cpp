// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/named_pictures.h"

#include "core/base/counted.h"

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

NamedPictures::NamedPictures(const ImportUnit& unit, const fs::path& annotations)
    : m_base(unit.base), m_lookup(annotations, unit.imageFolders, unit.nearFolders) {}

void NamedPictures::take(const std::vector<std::string>& names, RecordedImage& image) {
  for (const std::string& name : names) {
    const auto file = m_lookup.find(name);
    if (!file) continue;
    if (!takePicture(*file, m_base, image) && m_damaged++ == 0) m_firstDamaged = image.name;
    return;
  }
  if (m_lost++ == 0) m_firstLost = names.empty() ? std::string() : names.front();
}

void NamedPictures::tell(const fs::path& file, RecordingSink& sink) const {
  const auto count = [&](std::size_t number, const char* what, const std::string& first, const char* done) {
    if (number == 0) return;
    const std::string which = number == 1 ? ": " + first : ", the first of them " + first;
    sink.problem({.file = file.string(),
                  .what = fmt::format("{} {}{}", counted(number, "picture"), what, first.empty() ? "" : which),
                  .done = done,
                  .picture = true});
  };
  count(m_lost, "not found", m_firstLost, "labels are kept, without a picture");
  count(m_damaged, "unreadable", m_firstDamaged, "kept in the index, marked as damaged");
  count(m_lookup.ambiguous(), "with namesakes in other folders that were given", {},
        "the first was taken; each folder right after its annotations, or one import for each, tells them apart");
}

}  // namespace roadtune::data
