// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/data/pillow_images.h"

#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace roadtune::data {

namespace fs = std::filesystem;

const PillowImages& PillowImages::instance() {
  static const PillowImages images;
  return images;
}

PillowImages::PillowImages() {
  static const testing::TempFolder folder;
  m_folder = folder.path() / "pillow";
  const auto result =
      testing::runProgram({testing::oraclePython(),
                           std::string(ROADTUNE_SOURCE_DIR) + "/tests/unit/data/image_oracle.py", m_folder.string()});
  EXPECT_EQ(result.exitCode, 0) << result.err;
}

std::vector<fs::path> PillowImages::encoded() const {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(m_folder / "decode")) {
    const auto kind = entry.path().extension();
    if (kind == ".jpg" || kind == ".png" || kind == ".webp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool PillowImages::has(const fs::path& file, const std::string& suffix) const {
  return fs::exists(file.string() + suffix);
}

Image PillowImages::expected(const fs::path& file, const std::string& suffix) const {
  return readRaw(file.string() + suffix);
}

Image PillowImages::readRaw(const fs::path& file) {
  const std::string bytes = testing::readAll(file);
  const std::size_t end = bytes.find('\n');
  std::istringstream head(bytes.substr(0, end));
  int width = 0, height = 0;
  head >> width >> height;
  Image image(width, height);
  EXPECT_EQ(bytes.size() - end - 1, image.pixels.size()) << file;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(end) + 1,
              std::min(image.pixels.size(), bytes.size() - end - 1), image.pixels.begin());
  return image;
}

}  // namespace roadtune::data
