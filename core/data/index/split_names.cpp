// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/split_names.h"

#include "core/base/text.h"

#include <array>
#include <cctype>
#include <string_view>

namespace roadtune::data {

namespace {

constexpr std::array<std::string_view, 3> kSplits = {"training", "validation", "testing"};
constexpr int kFoldersLookedAt = 3;

std::string splitOfFolders(const std::filesystem::path& file) {
  std::filesystem::path folder = file.parent_path();
  for (int i = 0; i < kFoldersLookedAt && folder.has_filename(); ++i, folder = folder.parent_path()) {
    const std::string name = lower(folder.filename().string());
    for (const std::string_view split : kSplits)
      if (name == split) return std::string(split);
  }
  return {};
}

std::string splitOfWord(std::string_view word) {
  if (word == "training" || word == "train") return "training";
  if (word == "validation" || word == "valid" || word == "val") return "validation";
  if (word == "testing" || word == "test") return "testing";
  return {};
}

}  // namespace

std::string splitOfWaymoFile(const std::filesystem::path& file) {
  if (std::string split = splitOfFolders(file); !split.empty()) return split;
  std::string name = lower(file.filename().string());
  constexpr std::string_view kDownloaded = "individual_files_";
  if (startsWith(name, kDownloaded)) name.erase(0, kDownloaded.size());
  for (const std::string_view split : kSplits)
    if (startsWith(name, split)) return std::string(split);
  return {};
}

std::string splitOfAnnotationFile(const std::filesystem::path& file) {
  if (std::string split = splitOfFolders(file); !split.empty()) return split;
  const std::string name = lower(file.filename().string());
  std::string word;
  for (const char c : name + ".") {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += c;
      continue;
    }
    if (std::string split = splitOfWord(word); !split.empty()) return split;
    word.clear();
  }
  return splitOfWord(lower(file.parent_path().filename().string()));
}

}  // namespace roadtune::data
