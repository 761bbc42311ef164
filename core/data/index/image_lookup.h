// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace roadtune::data {

// Where a machine keeps what a run needs and could not be put under its own path: below the user's home, every file
// under its whole path once more.
inline constexpr const char* kCopiedInputs = ".roadtune/inputs";

// Finds the picture that an annotation file means: as named, beside the file, in images/ next to it or to its folder,
// in the folders the user gave; at last by its bare name below those folders. An annotation file among copied inputs
// means the copies.
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
  std::string m_copies;  // the folder of copied inputs that the annotation file lies in
};

// Whether its first bytes are those of a known kind of picture.
bool beginsAsPicture(const std::filesystem::path& file);

// Width and height from the first bytes of a file; nothing when it is no picture.
std::optional<std::pair<int, int>> imageSizeOfFile(const std::filesystem::path& file);

}  // namespace roadtune::data
