// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/source_pictures.h"

#include <algorithm>

namespace roadtune::data {

namespace {

// Where a file of this name is put: links are followed, but for the file itself.
fs::path placeOf(const fs::path& file) {
  std::error_code code;
  const fs::path path = fs::absolute(file).lexically_normal();
  return fs::weakly_canonical(path.parent_path(), code) / path.filename();
}

// There, and where it leads.
std::set<fs::path> placesOfPicture(const fs::path& file) {
  std::set<fs::path> places = {placeOf(file)};
  std::error_code code;
  if (fs::is_symlink(file, code)) places.insert(fs::weakly_canonical(file, code));
  return places;
}

bool isIn(const fs::path& file, const std::vector<fs::path>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
  });
}

}  // namespace

SourcePictures::SourcePictures(const Index& index, const std::vector<fs::path>& folders) : m_index(index) {
  std::vector<fs::path> known;  // what is not there yet holds no picture
  for (const fs::path& folder : folders)
    if (std::error_code code; fs::is_directory(folder, code)) known.push_back(fs::canonical(folder, code));
  if (known.empty()) return;
  for (ImageId image = 0; image < index.imageCount(); ++image)
    if (const fs::path file = index.imageFile(image); !file.empty())
      for (const fs::path& place : placesOfPicture(file))
        if (isIn(place, known)) m_files.insert(place);
}

bool SourcePictures::isOf(const fs::path& file, ImageId image) const {
  const fs::path own = m_files.empty() ? fs::path() : m_index.imageFile(image);
  return !own.empty() && placesOfPicture(own).contains(placeOf(file));
}

bool SourcePictures::isOfAnother(const fs::path& file, ImageId image) const {
  return !m_files.empty() && m_files.contains(placeOf(file)) && !isOf(file, image);
}

}  // namespace roadtune::data
