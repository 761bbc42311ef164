// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/image.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::data {

// Pictures that Pillow wrote, with its own pixels beside them; made once per test program.
class PillowImages {
 public:
  static const PillowImages& instance();

  const std::filesystem::path& folder() const { return m_folder; }
  std::vector<std::filesystem::path> encoded() const;
  bool has(const std::filesystem::path& file, const std::string& suffix) const;
  Image expected(const std::filesystem::path& file, const std::string& suffix) const;
  static Image readRaw(const std::filesystem::path& file);

 private:
  PillowImages();
  std::filesystem::path m_folder;
};

}  // namespace roadtune::data
