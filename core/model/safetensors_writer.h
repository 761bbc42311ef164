// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "core/model/dtype.h"
#include "core/model/safetensors.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::model {

// What will be written; the bytes come later.
struct TensorPlan {
  std::string name;
  Dtype dtype = Dtype::F32;
  std::vector<std::int64_t> shape = {};

  std::uint64_t bytes() const;
};

using Metadata = std::map<std::string, std::string>;
Metadata torchMetadata();  // {"format": "pt"}: what transformers and peft ask for

// Writes one file without holding it in memory: the layout is fixed first (sorted by element size, then name, as the
// reference writer does), then tensors arrive in any order. The file appears under its name only in finish(), synced;
// before that nothing but a temporary neighbour exists, which goes away with the object.
class SafetensorsWriter {
 public:
  static Result<std::unique_ptr<SafetensorsWriter>> create(const std::filesystem::path& named,
                                                           std::vector<TensorPlan> plan,
                                                           const Metadata& metadata = torchMetadata());
  ~SafetensorsWriter();
  SafetensorsWriter(const SafetensorsWriter&) = delete;
  SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

  // The whole tensor, or a part of it starting at byte `offset`.
  Status write(std::string_view name, std::span<const std::uint8_t> bytes, std::uint64_t offset = 0);

  // Fails when a tensor is incomplete.
  Status finish();

 private:
  SafetensorsWriter() = default;
  struct Entry {
    std::uint64_t begin = 0, size = 0, written = 0;
  };
  std::filesystem::path m_path, m_temporary;
  UniqueFd m_fd;
  std::uint64_t m_dataStart = 0;
  std::map<std::string, Entry, std::less<>> m_entries;
};

// Small files in one call.
Status writeSafetensors(const std::filesystem::path& path, const std::vector<TensorView>& tensors,
                        const Metadata& metadata = torchMetadata());

}  // namespace roadtune::model
