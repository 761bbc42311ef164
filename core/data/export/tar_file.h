// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace roadtune::data {

// A tar file (ustar) written from front to back under another name, and renamed by finish(). Names have at most 99
// bytes. What was not finished is removed.
class TarFile {
 public:
  static Result<TarFile> create(const fs::path& path);
  TarFile(TarFile&& other) noexcept;
  ~TarFile();

  // Answers where the content begins.
  Result<std::uint64_t> add(const std::string& name, std::string_view content);
  std::uint64_t size() const { return m_file.size() + m_buffer.size(); }
  Status finish();

 private:
  TarFile(fs::path path, fs::path aside, AppendFile file)
      : m_path(std::move(path)), m_aside(std::move(aside)), m_file(std::move(file)) {}
  Status put(std::string_view bytes);
  Status flush();

  fs::path m_path, m_aside;
  AppendFile m_file;
  std::string m_buffer;
  bool m_finished = false;
};

}  // namespace roadtune::data
