// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"

#include <optional>
#include <string>
#include <string_view>

namespace roadtune::data {

// A file written in large pieces aside and renamed by finish(); gone when finish() was never reached.
class OutputFile {
 public:
  static Result<OutputFile> create(const fs::path& named);
  OutputFile(OutputFile&& other) noexcept;
  ~OutputFile();

  Status write(std::string_view text);
  Status finish();

 private:
  OutputFile(fs::path path, fs::path aside, AppendFile file);
  fs::path m_path, m_aside;
  std::optional<AppendFile> m_file;
  std::string m_buffer;
};

}  // namespace roadtune::data
