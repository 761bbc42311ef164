// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace roadtune::testing {

// A fresh folder that goes with the object.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path operator/(std::string_view name) const { return m_path / name; }
  std::filesystem::path write(std::string_view name, std::string_view content) const;  // creates parents

 private:
  std::filesystem::path m_path;
};

std::string readAll(const std::filesystem::path& path);
std::string noise(std::size_t size);  // bytes that do not compress, the same every time

}  // namespace roadtune::testing
