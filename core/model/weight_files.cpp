// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weight_files.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace roadtune::model {
namespace {

using Json = nlohmann::json;

constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";

bool isPlainFileName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

// Tensor name -> file name, from the index of a sharded checkpoint.
Result<std::map<std::string, std::string>> readIndex(const std::filesystem::path& path) {
  ROADTUNE_TRY(const std::string text, readFile(path));
  const Json json = Json::parse(text, nullptr, false);
  const Error shape = badInput("no weight_map of tensor names to file names", path.string(), "download the file again");
  if (json.is_discarded() || !json.is_object()) return shape;
  const auto map = json.find("weight_map");
  if (map == json.end() || !map->is_object() || map->empty()) return shape;
  std::map<std::string, std::string> files;
  for (const auto& [name, file] : map->items()) {
    if (!file.is_string() || !isPlainFileName(file.get<std::string>()))
      return badInput(fmt::format("weight_map of '{}' is not a file of this folder", name), path.string());
    files.emplace(name, file.get<std::string>());
  }
  return files;
}

Result<std::set<std::string>> fileNamesOf(const std::filesystem::path& folder,
                                          std::map<std::string, std::string>& wanted) {
  std::error_code ignored;
  if (std::filesystem::exists(folder / kIndexFile, ignored)) {
    ROADTUNE_TRY(wanted, readIndex(folder / kIndexFile));
    std::set<std::string> names;
    for (const auto& [tensor, file] : wanted) names.insert(file);
    return names;
  }
  if (std::filesystem::exists(folder / kSingleFile, ignored)) return std::set<std::string>{kSingleFile};
  const bool pickled = std::filesystem::exists(folder / "pytorch_model.bin", ignored) ||
                       std::filesystem::exists(folder / "pytorch_model.bin.index.json", ignored);
  return badInput(fmt::format("neither {} nor {} here", kSingleFile, kIndexFile), folder.string(),
                  pickled ? "pickled weights are not read; save the model with safe_serialization"
                          : "point at a folder in the Hugging Face layout");
}

}  // namespace

Result<WeightFiles> WeightFiles::open(const std::filesystem::path& folder) {
  WeightFiles weights;
  std::map<std::string, std::string> wanted;
  ROADTUNE_TRY(const std::set<std::string> files, fileNamesOf(folder, wanted));
  std::vector<std::string> names;
  for (const std::string& fileName : files) {
    ROADTUNE_TRY(auto file, SafetensorsFile::open(folder / fileName));
    for (const TensorView& tensor : file->tensors()) {
      const auto listed = wanted.find(tensor.name);
      if (!wanted.empty() && (listed == wanted.end() || listed->second != fileName)) continue;
      if (!weights.m_byDisk.emplace(tensor.name, weights.m_tensors.size()).second) continue;
      if (const auto canonical = canonicalName(tensor.name)) {
        if (!weights.m_byCanonical.emplace(*canonical, weights.m_tensors.size()).second)
          return badInput(fmt::format("'{}' is stored twice under different names", *canonical), folder.string());
      }
      names.push_back(tensor.name);
      weights.m_tensors.push_back(tensor);
    }
    weights.m_files.push_back(std::move(file));
  }
  for (const auto& [tensor, file] : wanted)
    if (!weights.m_byDisk.count(tensor))
      return badInput(fmt::format("{} promises '{}', {} does not have it", kIndexFile, tensor, file), folder.string(),
                      "download that file again");
  const auto layout = detectLayout(names);
  if (!layout) return badInput("no tensor has a name of PaliGemma", folder.string(), "is this another model?");
  weights.m_layout = *layout;
  return weights;
}

const TensorView* WeightFiles::findOnDisk(std::string_view diskName) const {
  const auto found = m_byDisk.find(diskName);
  return found == m_byDisk.end() ? nullptr : &m_tensors[found->second];
}

const TensorView* WeightFiles::find(std::string_view canonical) const {
  auto found = m_byCanonical.find(canonical);
  if (found == m_byCanonical.end() && canonical == kEmbedTokens) found = m_byCanonical.find(kLmHead);
  if (found == m_byCanonical.end() && canonical == kLmHead) found = m_byCanonical.find(kEmbedTokens);
  return found == m_byCanonical.end() ? nullptr : &m_tensors[found->second];
}

std::uint64_t WeightFiles::totalBytes() const {
  std::uint64_t total = 0;
  for (const TensorView& tensor : m_tensors) total += tensor.bytes.size();
  return total;
}

}  // namespace roadtune::model
