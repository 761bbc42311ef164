// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/model/weight_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace roadtune::model {

Result<std::uint64_t> parseShardSize(const std::string& text) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"gib", 1073741824.0}, {"mib", 1048576.0}, {"kib", 1024.0}, {"tb", 1e12},
      {"gb", 1e9},           {"mb", 1e6},        {"kb", 1e3},     {"b", 1.0}};
  std::string number = lower(trim(text));
  double factor = 1.0;
  for (const auto& [unit, size] : kUnits) {
    if (!endsWith(number, unit)) continue;
    number = trim(std::string_view(number).substr(0, number.size() - unit.size()));
    factor = size;
    break;
  }
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(number, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != number.size() || !std::isfinite(value) || value * factor < 1 || value * factor > 1e18)
    return badInput(fmt::format("'{}' is not a size", text), "max_shard_size", "write it like 5GB or 200MB");
  return static_cast<std::uint64_t>(value * factor);
}

Result<ShardedWriter> ShardedWriter::create(const std::filesystem::path& folder, const std::vector<TensorPlan>& plan,
                                            std::uint64_t maxShardBytes, const Metadata& metadata,
                                            const std::string& stem) {
  std::vector<std::vector<TensorPlan>> shards(1);
  std::uint64_t inShard = 0;
  ShardedWriter writer;
  for (const TensorPlan& tensor : plan) {
    const std::uint64_t bytes = tensor.bytes();
    if (!shards.back().empty() && inShard + bytes > maxShardBytes) {
      shards.emplace_back();
      inShard = 0;
    }
    shards.back().push_back(tensor);
    inShard += bytes;
    writer.m_totalBytes += bytes;
    writer.m_fileOf[tensor.name] = shards.size() - 1;
  }
  writer.m_folder = folder;
  writer.m_stem = stem;
  ROADTUNE_CHECK(makeFolders(folder));
  for (std::size_t i = 0; i < shards.size(); ++i) {
    writer.m_fileNames.push_back(shards.size() == 1
                                     ? stem + ".safetensors"
                                     : fmt::format("{}-{:05}-of-{:05}.safetensors", stem, i + 1, shards.size()));
    ROADTUNE_TRY(auto file, SafetensorsWriter::create(folder / writer.m_fileNames.back(), shards[i], metadata));
    writer.m_writers.push_back(std::move(file));
  }
  return writer;
}

Status ShardedWriter::write(std::string_view name, std::span<const std::uint8_t> bytes, std::uint64_t offset) {
  const auto found = m_fileOf.find(name);
  if (found == m_fileOf.end()) return failed(fmt::format("tensor '{}' was not planned", name), m_folder.string());
  return m_writers[found->second]->write(name, bytes, offset);
}

Status ShardedWriter::finish() {
  for (const auto& writer : m_writers) ROADTUNE_CHECK(writer->finish());
  if (m_fileNames.size() == 1) return {};
  nlohmann::json index;
  index["metadata"]["total_size"] = m_totalBytes;
  for (const auto& [name, shard] : m_fileOf) index["weight_map"][name] = m_fileNames[shard];
  return writeFileAtomically(m_folder / (m_stem + ".safetensors.index.json"), index.dump(2) + "\n");
}

}  // namespace roadtune::model
