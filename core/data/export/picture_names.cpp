// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/picture_names.h"

#include "core/base/hash.h"

#include <filesystem>

namespace roadtune::data {

std::string PictureNames::take(const std::string& name, const std::string& folder, bool byStem,
                               const Allowed& allowed) {
  std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  const std::string extension = path.extension().string();
  const std::string stem = path.replace_extension().string();
  const auto entry = [&](const std::string& of) -> Name& {
    return m_names[hash64(folder + '\n' + of + (byStem ? "" : extension))];
  };
  const auto give = [&](Name& to, const std::string& wanted) {
    if (to.taken || (allowed && !allowed(wanted))) return false;
    return to.taken = true;
  };
  Name& first = entry(stem);  // stays where it is when the table grows
  if (give(first, name)) return name;
  while (true) {
    const std::string numbered = stem + "-" + std::to_string(++first.last);
    if (give(entry(numbered), numbered + extension)) return numbered + extension;
  }
}

}  // namespace roadtune::data
