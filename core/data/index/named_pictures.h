// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/image_lookup.h"
#include "core/data/index/recording_reader.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::data {

// What an index calls the picture: its file as seen from `base`.
std::string pictureName(const std::filesystem::path& file, const std::filesystem::path& base);

// Pictures on which boxes may lie elsewhere than they were drawn: of another size than the labels say, or stored
// turned.
class OddPictures {
 public:
  void look(const ImageHeader& header, const RecordedImage& image);
  void tell(const std::filesystem::path& file, RecordingSink& sink) const;

 private:
  std::size_t m_turned = 0, m_otherSize = 0;
  std::string m_firstTurned, m_firstOther;
};

// Makes `file` the picture of the image: its name as seen from `base`, and its size where the data does not say it.
// False, and the image is marked as damaged, when the file is no picture.
bool takePicture(const std::filesystem::path& file, const std::filesystem::path& base, RecordedImage& image,
                 OddPictures& odd);

// The pictures that a unit names: looked for, looked into, and counted where they are not there or damaged.
class NamedPictures {
 public:
  // Pictures are looked for as those of this annotation file, and named as seen from the unit's base.
  NamedPictures(const ImportUnit& unit, const std::filesystem::path& annotations);

  // The first of the names that there is; else the image keeps the name it has.
  void take(const std::vector<std::string>& names, RecordedImage& image);
  // What was wrong, as problems of `file`.
  void tell(const std::filesystem::path& file, RecordingSink& sink) const;

 private:
  std::filesystem::path m_base;
  ImageLookup m_lookup;
  std::size_t m_lost = 0, m_damaged = 0;
  std::string m_firstLost, m_firstDamaged;
  OddPictures m_odd;
};

}  // namespace roadtune::data
