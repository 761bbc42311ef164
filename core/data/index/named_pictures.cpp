// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/named_pictures.h"

#include "core/base/counted.h"

#include <fmt/format.h>

#include <tuple>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

struct Count {
  std::size_t number = 0;
  const char* what;
  std::string first;
  const char* done;
};

void tellCount(const Count& count, const fs::path& file, RecordingSink& sink) {
  if (count.number == 0) return;
  const std::string which = count.number == 1 ? ": " + count.first : ", the first of them " + count.first;
  sink.problem(
      {.file = file.string(),
       .what = fmt::format("{} {}{}", counted(count.number, "picture"), count.what, count.first.empty() ? "" : which),
       .done = count.done,
       .picture = true});
}

}  // namespace

std::string pictureName(const fs::path& file, const fs::path& base) {
  const fs::path relative = file.lexically_relative(base);
  return relative.empty() ? file.string() : relative.string();
}

void OddPictures::look(const ImageHeader& header, const RecordedImage& image) {
  if (header.orientation > 1 && m_turned++ == 0) m_firstTurned = image.name;
  const bool said = image.width > 0 && image.height > 0;
  if (said && (image.width != header.width || image.height != header.height) && m_otherSize++ == 0)
    m_firstOther =
        fmt::format("{} ({} x {}, not {} x {})", image.name, header.width, header.height, image.width, image.height);
}

void OddPictures::tell(const fs::path& file, RecordingSink& sink) const {
  tellCount(
      {m_turned, "stored turned, as EXIF says", m_firstTurned,
       "taken as stored: boxes that were drawn on upright pictures do not fit before the files are turned for good, "
       "as mogrify -auto-orient does"},
      file, sink);
  tellCount({m_otherSize, "of another size than the labels say", m_firstOther,
             "boxes are taken as shares of the size that the labels say"},
            file, sink);
}

bool takePicture(const fs::path& file, const fs::path& base, RecordedImage& image, OddPictures& odd) {
  image.file = RecordedImage::kExternal;
  image.name = pictureName(file, base);
  const FirstLook look = lookAtPicture(file);
  const bool said = image.width > 0 && image.height > 0;
  image.corrupt = said ? !look.picture : !look.header;
  if (look.header) odd.look(*look.header, image);
  if (look.header && !said) std::tie(image.width, image.height) = std::pair(look.header->width, look.header->height);
  return !image.corrupt;
}

NamedPictures::NamedPictures(const ImportUnit& unit, const fs::path& annotations)
    : m_base(unit.base), m_lookup(annotations, unit.imageFolders, unit.nearFolders) {}

void NamedPictures::take(const std::vector<std::string>& names, RecordedImage& image) {
  for (const std::string& name : names) {
    const auto file = m_lookup.find(name);
    if (!file) continue;
    if (!takePicture(*file, m_base, image, m_odd) && m_damaged++ == 0) m_firstDamaged = image.name;
    return;
  }
  if (m_lost++ == 0) m_firstLost = names.empty() ? std::string() : names.front();
}

void NamedPictures::tell(const fs::path& file, RecordingSink& sink) const {
  tellCount({m_lost, "not found", m_firstLost, "labels are kept, without a picture"}, file, sink);
  tellCount({m_damaged, "unreadable", m_firstDamaged, "kept in the index, marked as damaged"}, file, sink);
  tellCount({m_lookup.ambiguous(),
             "with namesakes in other folders that were given",
             {},
             "the first was taken; each folder right after its annotations, or one import for each, tells them apart"},
            file, sink);
  m_odd.tell(file, sink);
}

}  // namespace roadtune::data
