// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/image_lookup.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/image/image.h"
#include "core/data/image/image_header.h"
#include "core/data/index/find_files.h"

#include <algorithm>
#include <utility>

namespace roadtune::data {

namespace {

constexpr std::size_t kShortestName = 3;

// "train2017" in "instances_train2017"
bool isNamedAfter(const std::string& title, const fs::path& folder) {
  const fs::path whole = folder.has_filename() ? folder : folder.parent_path();
  const std::string name = lower(whole.filename().string());
  return name.size() >= kShortestName && title.find(name) != std::string::npos;
}

}  // namespace

ImageLookup::ImageLookup(const fs::path& annotations, std::vector<fs::path> folders, std::size_t near)
    : m_title(lower(annotations.stem().string())) {
  std::error_code code;
  std::vector<std::pair<int, fs::path>> ranked;  // the least is the likeliest
  for (std::size_t i = 0; i < folders.size(); ++i)
    if (fs::is_directory(folders[i], code))
      ranked.emplace_back((isNamedAfter(m_title, folders[i]) ? 0 : 2) + (i < near ? 0 : 1), std::move(folders[i]));
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [rank, folder] : ranked) {
    m_alike += rank == ranked.front().first;
    m_folders.push_back(std::move(folder));
  }
  m_tried = m_folders;
  const fs::path base = annotations.parent_path();
  for (const fs::path& place : {base, base / "images", base.parent_path(), base.parent_path() / "images"})
    if (fs::is_directory(place, code)) m_tried.push_back(place);
  const std::string mark = std::string("/") + kCopiedInputs + "/", folder = base.string() + "/";
  if (const auto at = folder.find(mark); at != std::string::npos) m_copies = folder.substr(0, at + mark.size() - 1);
}

bool ImageLookup::addNamedAfter() {
  if (std::exchange(m_named, true)) return false;
  std::vector<fs::path> found;
  for (std::size_t i = m_folders.size(); i < m_tried.size(); ++i) {
    std::error_code code, inner;
    for (fs::directory_iterator at(m_tried[i], code), end; !code && at != end; at.increment(code))
      if (isNamedAfter(m_title, at->path()) && at->is_directory(inner)) found.push_back(at->path());
  }
  // The most telling name first: "train2017" before "train".
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return std::pair(b.filename().native().size(), a) < std::pair(a.filename().native().size(), b);
  });
  m_tried.insert(m_tried.end(), found.begin(), found.end());
  return !found.empty();
}

std::optional<fs::path> ImageLookup::find(const std::string& name) {
  if (name.empty()) return std::nullopt;
  std::error_code code;
  if (fs::path(name).is_absolute()) {
    if (!m_copies.empty() && fs::is_regular_file(m_copies + name, code)) return fs::path(m_copies + name);
    if (fs::is_regular_file(name, code)) return fs::path(name);
  }
  for (std::size_t i = 0; i < m_tried.size(); ++i) {
    const fs::path candidate = m_tried[i] / name;
    if (!fs::is_regular_file(candidate, code)) continue;
    bool others = false;
    for (std::size_t k = i + 1; k < m_alike && !others; ++k) others = fs::is_regular_file(m_tried[k] / name, code);
    m_ambiguous += others;
    return candidate.lexically_normal();
  }
  if (addNamedAfter()) return find(name);
  listFolders();
  const auto found = m_byName.find(fs::path(name).filename().string());
  if (found == m_byName.end()) return std::nullopt;
  m_ambiguous += found->second.size() > 1;
  return found->second.front();
}

void ImageLookup::listFolders() {
  if (m_listed) return;
  m_listed = true;
  for (const fs::path& folder : m_folders)
    for (const fs::path& file : findFiles(folder, isImageName)) m_byName[file.filename().string()].push_back(file);
}

// Nearly always the first page of the file is enough; a preview or a colour profile may stand before the size.
FirstLook lookAtPicture(const fs::path& file) {
  constexpr std::size_t kPage = 4096, kPreamble = 64 * 1024;
  FirstLook look;
  for (const std::size_t wanted : {kPage, kPreamble}) {
    const std::string bytes = firstBytes(file, wanted);
    look.picture = sniffImageFormat(asBytes(bytes)) != ImageFormat::Unknown;
    if (!look.picture) return look;
    if (const Result<ImageHeader> header = readImageHeader(asBytes(bytes)); header.ok()) look.header = header.value();
    if (look.header || bytes.size() < wanted) return look;
  }
  if (const Result<std::string> whole = readFile(file); whole.ok())
    if (const Result<ImageHeader> header = readImageHeader(asBytes(whole.value())); header.ok())
      look.header = header.value();
  return look;
}

}  // namespace roadtune::data
