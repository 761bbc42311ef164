// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/split_names.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <span>
#include <string_view>

namespace roadtune::data {

namespace {

constexpr std::array<std::string_view, 3> kSplits = {"training", "validation", "testing"};
constexpr std::ptrdiff_t kFoldersLookedAt = 3;  // of annotation files

std::string splitOfWord(std::string_view word) {
  if (word == "training" || word == "train") return "training";
  if (word == "validation" || word == "valid" || word == "val") return "validation";
  if (word == "testing" || word == "test") return "testing";
  return {};
}

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)); }

// "train", "training_0003"; not "test_drives", which says nothing.
std::string splitOfFolder(std::string_view name) {
  const auto word = std::find_if_not(name.begin(), name.end(), isLetter);
  const auto isCounted = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  return std::all_of(word, name.end(), isCounted) ? splitOfWord({name.begin(), word}) : std::string();
}

std::string splitOfLongFolder(std::string_view name) {
  return std::find(kSplits.begin(), kSplits.end(), name) == kSplits.end() ? std::string() : std::string(name);
}

// Nearest first.
std::string splitOfFolders(const std::filesystem::path& file, std::ptrdiff_t most,
                           std::string (*splitOf)(std::string_view)) {
  std::filesystem::path folder = file.parent_path();
  for (std::ptrdiff_t i = 0; i < most && folder.has_filename(); ++i, folder = folder.parent_path())
    if (std::string split = splitOf(lower(folder.filename().string())); !split.empty()) return split;
  return {};
}

// The word a name begins with, after what programs put in front.
std::string splitOfNameStart(std::string_view name, std::span<const std::string_view> prefixes) {
  const auto prefix = std::ranges::find_if(prefixes, [&](std::string_view one) { return startsWith(name, one); });
  if (prefix != prefixes.end()) name.remove_prefix(prefix->size());
  return splitOfWord({name.begin(), std::find_if_not(name.begin(), name.end(), isLetter)});
}

}  // namespace

std::string splitOfWaymoFile(const std::filesystem::path& file, const std::filesystem::path& source) {
  const std::filesystem::path top = source == file || !source.has_filename() ? source.parent_path() : source;
  const std::filesystem::path below = file.lexically_relative(top);
  const auto folders = std::max<std::ptrdiff_t>(1, std::distance(below.begin(), below.end()));  // `top` is one of them
  if (std::string split = splitOfFolders(file, folders, splitOfFolder); !split.empty()) return split;
  constexpr std::array<std::string_view, 1> kDownloaded = {"individual_files_"};
  return splitOfNameStart(lower(file.filename().string()), kDownloaded);
}

std::string splitOfAnnotationFile(const std::filesystem::path& file) {
  if (std::string split = splitOfFolders(file, 1, splitOfFolder); !split.empty()) return split;
  if (std::string split = splitOfFolders(file, kFoldersLookedAt, splitOfLongFolder); !split.empty()) return split;
  constexpr std::array<std::string_view, 7> kKinds = {"instances_", "captions_", "person_keypoints_", "image_info_",
                                                      "panoptic_",  "stuff_",    "_annotations."};
  return splitOfNameStart(lower(file.filename().string()), kKinds);
}

std::string splitGuessOfAnnotationFile(const std::filesystem::path& file) {
  std::string word;
  for (const char c : lower(file.filename().string()) + ".") {
    if (isLetter(c)) {
      word += c;
      continue;
    }
    if (std::string split = splitOfWord(word); !split.empty()) return split;
    word.clear();
  }
  return {};
}

}  // namespace roadtune::data
