// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/leftovers.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

bool isHex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

// As imports name them: a name, a dash and twelve digits of a hash.
bool isStem(std::string_view stem) {
  constexpr std::size_t kDigits = 12;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  if (stem.size() <= kDigits || stem.find_first_not_of(kLetters) != std::string_view::npos) return false;
  return stem[stem.size() - kDigits - 1] == '-' && isHex(stem.substr(stem.size() - kDigits));
}

// `endings`: of the files that imports write in this folder.
bool isOurs(const std::string& name, const std::vector<std::string_view>& endings) {
  constexpr std::string_view kAside = "aside-";
  constexpr std::size_t kAsideDigits = 16;
  if (name.starts_with(kAside) && name.size() == kAside.size() + kAsideDigits)
    return isHex(std::string_view(name).substr(kAside.size()));
  const std::size_t dot = std::min(name.find('.'), name.size());
  if (!isStem(std::string_view(name).substr(0, dot))) return false;
  return std::any_of(endings.begin(), endings.end(), [&, rest = name.substr(dot)](std::string_view ending) {
    return rest == ending || rest.starts_with(std::string(ending) + ".tmp-");  // written aside, then cut
  });
}

// As it is written, and where it is.
std::set<fs::path> placesOf(const fs::path& path) {
  std::error_code code;
  const auto plain = [](const fs::path& place) { return place.has_filename() ? place : place.parent_path(); };
  std::set<fs::path> places = {plain(fs::absolute(path, code).lexically_normal())};
  if (const fs::path real = fs::weakly_canonical(path, code); !code) places.insert(plain(real));
  return places;
}

bool isBelow(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

bool liesIn(const fs::path& source, const fs::path& folder) {
  for (const fs::path& place : placesOf(source))
    for (const fs::path& above : placesOf(folder))
      if (isBelow(place, above)) return true;
  return false;
}

// A folder that is `out`, or a file right in it.
bool isPartOf(const fs::path& source, const fs::path& out) {
  std::error_code code;
  const bool folder = fs::is_directory(source, code);
  for (const fs::path& place : placesOf(source))
    if (placesOf(out).contains(folder ? place : place.parent_path())) return true;
  return folder && fs::equivalent(source, out, code);
}

}  // namespace

void removeLeftovers(const IndexLayout& layout, const Catalogue& catalogue) {
  std::set<std::string> stems;
  for (const Catalogue::Unit& unit : catalogue.units) stems.insert(unit.segments.begin(), unit.segments.end());
  const std::vector<std::pair<fs::path, std::vector<std::string_view>>> folders = {
      {layout.segmentFolder(), {".seg"}},
      {layout.blobFolder(), {".blob"}},
      {layout.thumbnailFolder(), {".240.pack", ".480.pack"}}};
  for (const auto& [folder, endings] : folders) {
    std::error_code code;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
      const std::string name = at->path().filename().string();
      std::error_code ignored;
      if (stems.contains(name.substr(0, name.find('.'))) || !isOurs(name, endings)) continue;
      if (at->symlink_status(ignored).type() == fs::file_type::regular) fs::remove(at->path(), ignored);
    }
  }
}

Status requireApart(const std::vector<fs::path>& sources, const fs::path& out) {
  const IndexLayout layout{out};
  for (const fs::path& source : sources) {
    if (std::error_code code; !fs::exists(source, code)) continue;
    bool among = isPartOf(source, out);
    for (const fs::path& folder : {layout.segmentFolder(), layout.blobFolder(), layout.thumbnailFolder()})
      among = among || liesIn(source, folder);
    if (among)
      return badInput("an index among its recordings would hide them", out.string(), "another folder for the index");
  }
  return {};
}

}  // namespace roadtune::data
