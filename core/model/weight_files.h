// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/model/safetensors.h"
#include "core/model/safetensors_writer.h"
#include "core/model/tensor_names.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace roadtune::model {

// The weights of a checkpoint folder: model.safetensors, or the shards its index names. Names are kept as on disk and
// as canonical names; views stay valid while the object lives.
class WeightFiles {
 public:
  static Result<WeightFiles> open(const std::filesystem::path& folder);

  const std::vector<TensorView>& tensors() const { return m_tensors; }  // names as on disk
  const TensorView* findOnDisk(std::string_view diskName) const;
  // By canonical name (see tensor_names.h). `lm_head.weight` and the embedding answer for one another: they are tied.
  const TensorView* find(std::string_view canonical) const;
  NameLayout layout() const { return m_layout; }
  std::uint64_t totalBytes() const;

 private:
  std::vector<std::shared_ptr<const SafetensorsFile>> m_files;
  std::vector<TensorView> m_tensors;
  std::map<std::string, std::size_t, std::less<>> m_byDisk, m_byCanonical;
  NameLayout m_layout = NameLayout::L0;
};

// "5GB", "200MB", "1000000": as transformers writes max_shard_size (powers of 1000; GiB and MiB are powers of 1024).
Result<std::uint64_t> parseShardSize(const std::string& text);

// Writes a checkpoint's weights in one file or several plus model.safetensors.index.json, filled in the order given
// until a shard would exceed `maxShardBytes`. Streaming and atomic per file; the index is written last.
class ShardedWriter {
 public:
  static Result<ShardedWriter> create(const std::filesystem::path& folder, const std::vector<TensorPlan>& plan,
                                      std::uint64_t maxShardBytes, const Metadata& metadata = torchMetadata(),
                                      const std::string& stem = "model");

  Status write(std::string_view name, std::span<const std::uint8_t> bytes, std::uint64_t offset = 0);
  Status finish();
  const std::vector<std::string>& fileNames() const { return m_fileNames; }

 private:
  std::filesystem::path m_folder;
  std::string m_stem;
  std::vector<std::string> m_fileNames;
  std::vector<std::unique_ptr<SafetensorsWriter>> m_writers;
  std::map<std::string, std::size_t, std::less<>> m_fileOf;
  std::uint64_t m_totalBytes = 0;
};

}  // namespace roadtune::model
