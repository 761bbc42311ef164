// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/model/dtype.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roadtune::model {

// One tensor of a file. `bytes` are little-endian, row-major, and live as long as the file object they came from;
// they are aligned only when the file's writer padded its header.
struct TensorView {
  std::string name;
  Dtype dtype = Dtype::F32;
  std::vector<std::int64_t> shape = {};
  std::span<const std::uint8_t> bytes = {};

  std::int64_t elements() const;
};

// A safetensors file, mapped and checked in full before it is given out: header size, well-formed JSON without
// duplicate names, known types, sizes that match shapes, no holes and no overlaps. Read-only, safe from any thread.
class SafetensorsFile {
 public:
  static Result<std::shared_ptr<const SafetensorsFile>> open(const std::filesystem::path& path);

  const std::vector<TensorView>& tensors() const { return m_tensors; }  // ordered by position in the file
  const TensorView* find(std::string_view name) const;                  // null when there is none
  const std::map<std::string, std::string>& metadata() const { return m_metadata; }
  const std::filesystem::path& path() const { return m_path; }
  std::uint64_t headerBytes() const { return m_headerBytes; }  // offset of the first tensor byte in the file

 private:
  SafetensorsFile() = default;
  std::filesystem::path m_path;
  MappedFile m_map;
  std::uint64_t m_headerBytes = 0;
  std::vector<TensorView> m_tensors;
  std::unordered_map<std::string, std::size_t> m_byName;
  std::map<std::string, std::string> m_metadata;
};

// Checks and reads a header; `fileSize` is the size of the whole file that `start` begins (start holds at least the
// header). For readers of foreign bytes and for tests; views have no bytes unless `start` is the whole file.
struct SafetensorsHeader {
  std::uint64_t headerBytes = 0;
  std::vector<TensorView> tensors;
  std::map<std::string, std::string> metadata;
};
Result<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::uint8_t> start, std::uint64_t fileSize,
                                                 const std::string& where);

}  // namespace roadtune::model
