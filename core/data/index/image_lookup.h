// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace roadtune::data {

// Finds the picture that an annotation file means: as named, beside the file, in images/ next to it or to its folder,
// in the folders the user gave; at last by its bare name below those folders.
class ImageLookup {
 public:
  ImageLookup(std::filesystem::path base, std::vector<std::filesystem::path> folders);

  std::optional<std::filesystem::path> find(const std::string& name);

 private:
  void listFolders();
  std::filesystem::path m_base;
  std::vector<std::filesystem::path> m_folders;
  std::vector<std::filesystem::path> m_tried;  // roots, the one that answered last first
  std::unordered_map<std::string, std::filesystem::path> m_byName;
  bool m_listed = false;
};

// Width and height from the first bytes of a file; nothing when it is no picture.
std::optional<std::pair<int, int>> imageSizeOfFile(const std::filesystem::path& file);

}  // namespace roadtune::data
