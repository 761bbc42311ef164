// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/image_lookup.h"

#include "core/base/files.h"
#include "core/data/image/image.h"
#include "core/data/image/image_header.h"
#include "core/data/index/find_files.h"

#include <algorithm>
#include <fcntl.h>

namespace roadtune::data {

ImageLookup::ImageLookup(fs::path base, std::vector<fs::path> folders)
    : m_base(std::move(base)), m_folders(std::move(folders)) {
  m_tried = {m_base, m_base / "images", m_base.parent_path(), m_base.parent_path() / "images"};
  m_tried.insert(m_tried.begin(), m_folders.begin(), m_folders.end());
  const std::string mark = std::string("/") + kCopiedInputs + "/", folder = m_base.string() + "/";
  if (const auto at = folder.find(mark); at != std::string::npos) m_copies = folder.substr(0, at + mark.size() - 1);
}

std::optional<fs::path> ImageLookup::find(const std::string& name) {
  if (name.empty()) return std::nullopt;
  std::error_code code;
  if (fs::path(name).is_absolute()) {
    if (!m_copies.empty() && fs::is_regular_file(m_copies + name, code)) return fs::path(m_copies + name);
    if (fs::is_regular_file(name, code)) return fs::path(name);
  }
  for (std::size_t i = 0; i < m_tried.size(); ++i) {
    fs::path candidate = m_tried[i] / name;
    if (!fs::is_regular_file(candidate, code)) continue;
    std::rotate(m_tried.begin(), m_tried.begin() + static_cast<std::ptrdiff_t>(i),
                m_tried.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return candidate.lexically_normal();
  }
  listFolders();
  const auto found = m_byName.find(fs::path(name).filename().string());
  if (found == m_byName.end()) return std::nullopt;
  return found->second;
}

void ImageLookup::listFolders() {
  if (m_listed) return;
  m_listed = true;
  for (const fs::path& folder : m_folders)
    for (const fs::path& file : findFiles(folder, isImageName)) m_byName.emplace(file.filename().string(), file);
}

namespace {

// Empty when there are none.
std::string firstBytes(const fs::path& file, std::size_t wanted) {
  UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return {};
  std::string bytes(wanted, '\0');
  const ssize_t count = ::pread(fd.get(), bytes.data(), bytes.size(), 0);
  bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bytes;
}

}  // namespace

bool beginsAsPicture(const fs::path& file) {
  constexpr std::size_t kLongestMark = 64;
  return sniffImageFormat(asBytes(firstBytes(file, kLongestMark))) != ImageFormat::Unknown;
}

std::optional<std::pair<int, int>> imageSizeOfFile(const fs::path& file) {
  constexpr std::size_t kFirstBytes = 64 * 1024;
  const std::string bytes = firstBytes(file, kFirstBytes);
  if (bytes.empty()) return std::nullopt;
  Result<ImageHeader> header = readImageHeader(asBytes(bytes));
  if (!header.ok() && bytes.size() == kFirstBytes) {  // a long preamble (colour profile, preview)
    const Result<std::string> whole = readFile(file);
    if (whole.ok()) header = readImageHeader(asBytes(whole.value()));
  }
  if (!header.ok()) return std::nullopt;
  return std::pair(header.value().width, header.value().height);
}

}  // namespace roadtune::data
