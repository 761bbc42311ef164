// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/picture_names.h"

#include "core/base/hash.h"

#include <filesystem>

namespace roadtune::data {

std::string PictureNames::take(const std::string& name, const std::string& folder, bool byStem) {
  std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  const std::string extension = path.extension().string();
  const std::string stem = path.replace_extension().string();
  const auto key = [&](const std::string& of) { return hash64(folder + '\n' + of + (byStem ? "" : extension)); };
  const auto [first, isNew] = m_taken.try_emplace(key(stem), 1);
  if (isNew) return name;
  std::uint32_t& count = first->second;  // stays where it is when the table grows
  while (true) {
    const std::string numbered = stem + "-" + std::to_string(++count);
    if (m_taken.try_emplace(key(numbered), 1).second) return numbered + extension;
  }
}

}  // namespace roadtune::data
