// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/image_header.h"

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

// Finds the picture that an annotation file means: as named, in the folders the user gave, beside the file, in images/
// next to it or to its folder, in a folder there after which the file is called (train2017 for
// instances_train2017.json); at last by its bare name below the folders given. Of those the ones that the file is
// called after come first, then the first `near`, which the user gave with the file. An annotation file among copied
// inputs means the copies.
class ImageLookup {
 public:
  ImageLookup(const std::filesystem::path& annotations, std::vector<std::filesystem::path> folders,
              std::size_t near = 0);

  std::optional<std::filesystem::path> find(const std::string& name);

  // How many were in several of the folders given, of which none was nearer than another.
  std::size_t ambiguous() const { return m_ambiguous; }

 private:
  bool addNamedAfter();  // whether there are any
  void listFolders();
  std::string m_title;                           // of the annotation file
  std::vector<std::filesystem::path> m_folders;  // the likeliest first
  std::size_t m_alike = 0;                       // so many of them are equally likely
  std::vector<std::filesystem::path> m_tried;    // these, then other places
  std::unordered_map<std::string, std::vector<std::filesystem::path>> m_byName;
  bool m_named = false, m_listed = false;
  std::size_t m_ambiguous = 0;
  std::string m_copies;  // the folder of copied inputs that the annotation file lies in
};

// What the first bytes of a file say: is it of a known kind of picture, and which size has it?
struct FirstLook {
  bool picture = false;
  std::optional<ImageHeader> header = {};  // nothing where it is damaged
};
FirstLook lookAtPicture(const std::filesystem::path& file);

}  // namespace roadtune::data
