// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/index.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/class_list.h"
#include "core/data/index/source_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <unordered_map>

namespace roadtune::data {

struct Index::Parts {
  explicit Parts(const std::filesystem::path& folder) : layout{folder}, files(folder) {}

  IndexLayout layout;
  std::vector<Segment> segments;  // by name
  std::vector<ImageId> first;     // one more than segments
  std::vector<std::string> classNames;
  std::vector<Problem> problems;
  std::size_t boxes = 0, frames = 0;
  mutable SourceFileReader files;

  void sortSegments() {
    std::sort(segments.begin(), segments.end(), [](const Segment& a, const Segment& b) {
      return std::tie(a.info().name, a.info().split) < std::tie(b.info().name, b.info().split);
    });
    first.push_back(0);
    for (const Segment& segment : segments) {
      first.push_back(first.back() + static_cast<ImageId>(segment.images().size()));
      boxes += segment.boxes().size();
      frames += segment.info().frames;
    }
  }

  std::uint8_t classNumber(const std::string& name) {
    if (const auto known = findClassNamed(classNames, name)) return *known;
    if (classNames.size() >= kMaxClasses) return kUnknown;
    classNames.push_back(name);
    return static_cast<std::uint8_t>(classNames.size() - 1);
  }

  void numberClasses() {
    for (int type = 0; type < kLabelTypes; ++type) classNames.emplace_back(labelTypeName(static_cast<LabelType>(type)));
    for (Segment& segment : segments) {
      std::array<std::uint8_t, kMaxClasses> map{};
      const auto& names = segment.classNames();
      for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), kMaxClasses); ++i) map[i] = classNumber(names[i]);
      segment.setClassMap(map);
    }
  }
};

Index::Index() = default;
Index::~Index() = default;

bool Index::looksLikeIndex(const std::filesystem::path& folder) {
  std::error_code code;
  return std::filesystem::is_regular_file(IndexLayout{folder}.catalogue(), code);
}

Result<std::shared_ptr<const Index>> Index::open(const std::filesystem::path& folder) {
  std::error_code code;
  if (!std::filesystem::exists(folder, code)) return badInput("there is no such folder", folder.string());
  if (!looksLikeIndex(folder))
    return badInput("is not an index", folder.string(), "make one with `roadtune data index SRC --out DIR`");
  std::shared_ptr<Index> index(new Index);
  index->m_parts = std::make_unique<Parts>(folder);
  Parts& parts = *index->m_parts;
  ROADTUNE_TRY(const Catalogue catalogue, readCatalogue(parts.layout));
  parts.problems = catalogue.problems;
  for (const Catalogue::Unit& unit : catalogue.units) {
    parts.problems.insert(parts.problems.end(), unit.problems.begin(), unit.problems.end());
    for (const std::string& stem : unit.segments) {
      ROADTUNE_TRY(Segment segment, Segment::open(parts.layout.segment(stem)));
      parts.segments.push_back(std::move(segment));
    }
  }
  parts.sortSegments();
  parts.numberClasses();
  return std::shared_ptr<const Index>(std::move(index));
}

const std::filesystem::path& Index::folder() const { return m_parts->layout.folder; }
std::size_t Index::segmentCount() const { return m_parts->segments.size(); }
std::size_t Index::imageCount() const { return m_parts->first.back(); }
std::size_t Index::boxCount() const { return m_parts->boxes; }
std::size_t Index::frameCount() const { return m_parts->frames; }
const Segment& Index::segment(std::size_t i) const { return m_parts->segments[i]; }
void Index::letGo() const {
  for (const Segment& one : m_parts->segments) one.letGo();
}
ImageId Index::firstImage(std::size_t segment) const { return m_parts->first[segment]; }
const std::vector<std::string>& Index::classNames() const { return m_parts->classNames; }
const std::vector<Problem>& Index::problems() const { return m_parts->problems; }

std::optional<std::uint8_t> Index::findClass(std::string_view name) const { return findClassNamed(classNames(), name); }

bool Index::containsWaymoData() const {
  const auto& all = m_parts->segments;
  return std::any_of(all.begin(), all.end(), [](const Segment& segment) { return segment.info().waymo; });
}

std::pair<std::uint32_t, std::uint32_t> Index::locate(ImageId image) const {
  const auto& first = m_parts->first;
  const auto after = std::upper_bound(first.begin(), first.end(), image);
  const auto segment = static_cast<std::uint32_t>(after - first.begin() - 1);
  return {segment, image - first[segment]};
}

ImageInfo Index::image(ImageId image) const {
  const auto [segment, row] = locate(image);
  const ImageColumns& columns = m_parts->segments[segment].images();
  ImageInfo info;
  info.id = image;
  info.segment = segment;
  info.row = row;
  info.timestamp = columns.timestamp[row];
  info.frame = m_parts->segments[segment].frameOf(row);
  info.camera = static_cast<Camera>(columns.camera[row]);
  info.width = columns.width[row];
  info.height = columns.height[row];
  info.labelled = columns.flags[row] & kLabelled;
  info.available = !(columns.flags[row] & kImageMissing);
  info.damaged = columns.flags[row] & kImageCorrupt;
  info.firstBox = columns.boxStart[row];
  info.boxCount = columns.boxStart[row + 1] - info.firstBox;
  return info;
}

std::vector<Box> Index::boxes(ImageId id) const {
  const auto [number, row] = locate(id);
  return m_parts->segments[number].boxesOf(row);
}

std::vector<Box> Index::projected(ImageId image) const {
  const auto [number, row] = locate(image);
  return m_parts->segments[number].projectedOf(row);
}

std::vector<Box> Index::crowds(ImageId image) const {
  const auto [number, row] = locate(image);
  return m_parts->segments[number].crowdsOf(row);
}

namespace {

// "segment/timestamp/CAMERA"
std::optional<ImageId> imageOfRig(const Index& index, std::string_view label) {
  const std::vector<std::string> parts = split(label, '/');
  if (parts.size() != 3) return std::nullopt;
  const auto camera = cameraFromName(parts[2]);
  std::int64_t timestamp = 0;
  const auto [end, error] = std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), timestamp);
  if (!camera || error != std::errc() || end != parts[1].data() + parts[1].size()) return std::nullopt;
  return index.find(parts[0], timestamp, *camera);
}

}  // namespace

std::string Index::imageLabel(ImageId image) const {
  const auto [number, row] = locate(image);
  const Segment& segment = m_parts->segments[number];
  if (const std::string_view name = segment.imageName(row); !name.empty()) return std::string(name);
  const ImageColumns& columns = segment.images();
  std::string label = segment.info().name + "/" + std::to_string(columns.timestamp[row]);
  if (columns.camera[row] != 0) label += "/" + std::string(cameraName(static_cast<Camera>(columns.camera[row])));
  return label;
}

std::optional<std::uint32_t> Index::findSegment(std::string_view name) const {
  const auto& all = m_parts->segments;
  const auto found = std::lower_bound(all.begin(), all.end(), name,
                                      [](const Segment& a, std::string_view b) { return a.info().name < b; });
  if (found == all.end() || found->info().name != name) return std::nullopt;
  return static_cast<std::uint32_t>(found - all.begin());
}

std::optional<ImageId> Index::find(std::string_view name, std::int64_t timestamp, Camera camera) const {
  const std::optional<std::uint32_t> number = findSegment(name);
  if (!number) return std::nullopt;
  const ImageColumns& columns = m_parts->segments[*number].images();
  const auto low = std::lower_bound(columns.timestamp.begin(), columns.timestamp.end(), timestamp);
  for (auto i = static_cast<std::size_t>(low - columns.timestamp.begin());
       i < columns.size() && columns.timestamp[i] == timestamp; ++i)
    if (columns.camera[i] == static_cast<std::uint8_t>(camera)) return firstImage(*number) + static_cast<ImageId>(i);
  return std::nullopt;
}

std::vector<std::optional<ImageId>> Index::find(const std::vector<std::string_view>& labels) const {
  std::vector<std::optional<ImageId>> images(labels.size());
  std::unordered_multimap<std::string_view, std::size_t> named;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    images[i] = imageOfRig(*this, labels[i]);
    if (!images[i]) named.emplace(labels[i], i);
  }
  for (std::size_t number = 0; number < segmentCount() && !named.empty(); ++number) {
    const Segment& segment = m_parts->segments[number];
    for (std::uint32_t row = 0; row < segment.images().size() && !named.empty(); ++row) {
      const auto [first, last] = named.equal_range(segment.imageName(row));
      if (first == last || first->first.empty()) continue;
      for (auto at = first; at != last; ++at) images[at->second] = firstImage(static_cast<std::uint32_t>(number)) + row;
      named.erase(first, last);
    }
  }
  return images;
}

std::vector<ImageId> Index::sameFrame(ImageId image) const {
  const auto [segment, row] = locate(image);
  const auto& times = m_parts->segments[segment].images().timestamp;
  const auto [low, high] = std::equal_range(times.begin(), times.end(), times[row]);
  std::vector<ImageId> result;
  for (auto at = low; at != high; ++at)
    result.push_back(firstImage(segment) + static_cast<ImageId>(at - times.begin()));
  return result;
}

std::optional<ImageId> Index::neighbour(ImageId image, int frames) const {
  const auto [number, row] = locate(image);
  const ImageColumns& columns = m_parts->segments[number].images();
  const int step = frames < 0 ? -1 : 1;
  int left = frames < 0 ? -frames : frames;
  std::int64_t at = row;
  while (left > 0) {
    at += step;
    if (at < 0 || at >= static_cast<std::int64_t>(columns.size())) return std::nullopt;
    if (columns.camera[static_cast<std::size_t>(at)] == columns.camera[row]) --left;
  }
  return firstImage(number) + static_cast<ImageId>(at);
}

std::filesystem::path Index::imageFile(ImageId image) const {
  const auto [number, row] = locate(image);
  const Segment& segment = m_parts->segments[number];
  if (segment.images().source[row] != Segment::kExternal) return {};
  const std::filesystem::path direct = segment.info().base / std::string(segment.imageName(row));
  std::error_code code;
  if (std::filesystem::exists(direct, code)) return direct;
  const auto moved = folder() / segment.info().nearbyBase / std::string(segment.imageName(row));
  return std::filesystem::exists(moved, code) ? moved.lexically_normal() : direct;
}

Result<std::string> Index::imageBytes(ImageId image) const {
  const auto [number, row] = locate(image);
  ROADTUNE_TRY(std::string bytes, storedBytes(number, row, image));
  const auto& crc = m_parts->segments[number].images().crc;
  if (crc.empty() || crc32c({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}) == crc[row])
    return bytes;
  const Segment& segment = m_parts->segments[number];
  const bool own = segment.images().source[row] == Segment::kInBlob;
  const std::string blob = m_parts->layout.blob(segment.file().stem().string()).string();
  return badInput("the bytes of the picture do not match their checksum", imageLabel(image),
                  own ? "remove " + blob + " and run `roadtune data index` again on its sources"
                      : "copy the pack again, or make it again with `roadtune data pack`");
}

Result<std::string> Index::storedBytes(std::uint32_t number, std::uint32_t row, ImageId image) const {
  const Segment& segment = m_parts->segments[number];
  const ImageColumns& columns = segment.images();
  if (columns.flags[row] & kImageMissing) return badInput("the image was not in the source", imageLabel(image));
  const std::uint32_t source = columns.source[row];
  if (source == Segment::kExternal) return m_parts->files.read(imageFile(image), 0, 0);
  if (source == Segment::kInBlob)
    return m_parts->files.read(m_parts->layout.blob(segment.file().stem().string()), columns.offset[row],
                               columns.length[row]);
  if (source >= segment.sourceFiles().size())
    return badInput("damaged index file: an image names no source", segment.file().string());
  return m_parts->files.read(segment.sourceFiles()[source], columns.offset[row], columns.length[row]);
}

std::vector<Problem> Index::checkSources() const {
  std::vector<Problem> problems;
  std::set<std::filesystem::path> seen;
  for (const Segment& segment : m_parts->segments) {
    const std::filesystem::path blob = m_parts->layout.blob(segment.file().stem().string());
    if (!holdsItsPictures(segment, blob))
      problems.push_back({.file = blob.string(),
                          .segment = segment.info().name,
                          .what = "pictures that the index keeps are lost",
                          .done = "import its recordings again"});
    for (const SourceFile& source : segment.sourceFiles()) {
      if (!seen.insert(source.path).second) continue;
      const Result<std::filesystem::path> found = locateSource(source, folder());
      if (!found.ok())
        problems.push_back({.file = source.path.string(),
                            .segment = segment.info().name,
                            .what = found.error().what,
                            .done = found.error().hint});
    }
  }
  return problems;
}

Status Index::verify() const {
  for (const Segment& segment : m_parts->segments) ROADTUNE_CHECK(segment.verify());
  return {};
}

}  // namespace roadtune::data
