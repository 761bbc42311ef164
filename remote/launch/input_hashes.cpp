// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/input_hashes.h"

#include "core/base/hash.h"
#include "core/base/url.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/find_files.h"
#include "core/data/index/index.h"
#include "core/data/source/input_files.h"
#include "remote/agent/inventory.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

// Names and sizes of all, and samples of the largest, which hold the data.
std::string hashOf(const fs::path& root, const std::vector<fs::path>& files) {
  constexpr std::size_t kSampled = 64;
  std::vector<std::pair<std::uint64_t, fs::path>> sized;
  for (const fs::path& file : files) {
    std::error_code code;
    const auto size = fs::file_size(file, code);
    if (!code) sized.emplace_back(size, file);
  }
  std::uint64_t hash = 0;
  for (const auto& [size, file] : sized) hash = mix64(hash64(file.lexically_relative(root).string(), hash) ^ size);
  std::stable_sort(sized.begin(), sized.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  sized.resize(std::min(sized.size(), kSampled));
  for (const auto& [size, file] : sized) hash = hash64(contentSample(file.string()), hash);
  return fmt::format("{:016x}", hash);
}

// An index is known by its catalogue, which knows its sources.
std::string hashOfData(const fs::path& path) {
  std::error_code code;
  if (fs::is_regular_file(path, code)) return contentSample(path.string());
  if (!fs::is_directory(path, code)) return {};
  if (data::Index::looksLikeIndex(path)) return contentSample(data::IndexLayout{path}.catalogue().string());
  return hashOf(path, data::findFiles(path, [](const std::string& name) { return !data::isImageName(name); }));
}

}  // namespace

InputHashes hashInputs(const config::RunConfig& config) {
  InputHashes hashes;
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : config.sources(key)) {
      if (isUrl(source.path)) continue;
      if (std::string hash = hashOfData(source.path); !hash.empty()) hashes.data[source.path] = std::move(hash);
    }
  const auto files = data::modelFiles(config.text("model_name_or_path"));
  if (!files.ok()) return hashes;
  for (const fs::path& file : files.value())
    if (file.extension() == ".safetensors") hashes.weights[file.filename().string()] = contentSample(file.string());
  return hashes;
}

std::vector<std::string> changedInputs(const protocol::Manifest& began, const config::RunConfig& config) {
  const InputHashes now = hashInputs(config);
  std::vector<std::string> changed;
  for (const auto& [path, hash] : now.data)
    if (const auto was = began.dataHashes.find(path); was != began.dataHashes.end() && was->second != hash)
      changed.push_back(fmt::format("{} is not what it was when the run began: other samples may come", path));
  if (!config.usesLora()) return changed;  // all weights are in the checkpoint
  for (const auto& [file, hash] : now.weights)
    if (const auto was = began.weightHashes.find(file); was != began.weightHashes.end() && was->second != hash)
      changed.push_back(
          fmt::format("{} of {} is not what it was when the run began: the adapters were trained beside others", file,
                      config.text("model_name_or_path")));
  return changed;
}

}  // namespace roadtune::remote
