// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/segment.h"

#include "core/base/hash.h"
#include "core/base/mapped_file.h"
#include "core/data/index/segment_meta.h"

#include <algorithm>
#include <limits>

namespace roadtune::data {

namespace {

double pixels(double quantum, std::uint16_t coarse, std::span<const std::int16_t> fine, std::size_t row) {
  const double rest = row < fine.size() ? fine[row] / 65536.0 : 0;
  return quantum * (coarse + rest);
}

template <class Number>
SideColumns<Number> sideColumns(const ColumnFile& columns, const std::string& name) {
  return {columns.column<std::uint32_t>(name + ".start"),
          columns.column<Number>(name + ".x"),
          columns.column<Number>(name + ".y"),
          columns.column<Number>(name + ".w"),
          columns.column<Number>(name + ".h"),
          columns.column<std::uint8_t>(name + ".type")};
}

template <class Number>
bool fits(const SideColumns<Number>& side, std::size_t images) {
  if (side.start.empty()) return true;
  const std::size_t count = side.x.size();
  return side.start.size() == images + 1 && side.start.back() == count && side.y.size() == count &&
         side.w.size() == count && side.h.size() == count && side.type.size() == count &&
         std::is_sorted(side.start.begin(), side.start.end());
}

template <class Number>
std::vector<Box> sideBoxes(const SideColumns<Number>& side, std::size_t imageRow,
                           const std::array<std::uint8_t, kMaxClasses>& toIndex) {
  std::vector<Box> result;
  if (side.start.empty()) return result;
  for (std::size_t row = side.start[imageRow]; row < side.start[imageRow + 1]; ++row)
    result.push_back(
        {.x = side.x[row], .y = side.y[row], .w = side.w[row], .h = side.h[row], .type = toIndex[side.type[row]]});
  return result;
}

}  // namespace

Result<Segment> Segment::open(const std::filesystem::path& file) {
  Segment segment;
  segment.m_path = file;
  ROADTUNE_TRY(segment.m_columns, ColumnFile::open(file));
  ROADTUNE_CHECK(segment.load());
  return segment;
}

Status Segment::load() {
  for (const char* checked : {"image.", "meta", "projected.start", "crowd.start", "track.starts", "name.starts",
                              "prefix.starts", "suffix.starts"})
    ROADTUNE_CHECK(m_columns.verify(checked));
  ROADTUNE_TRY(SegmentMeta meta, parseSegmentMeta(m_columns.text("meta"), m_path));
  m_info = std::move(meta.info);
  m_classNames = std::move(meta.classes);
  for (std::size_t i = 0; i < m_toIndex.size(); ++i) m_toIndex[i] = static_cast<std::uint8_t>(i);
  const ColumnFile& c = m_columns;
  m_images = {c.column<std::int64_t>("image.timestamp"), c.column<std::uint64_t>("image.offset"),
              c.column<std::uint32_t>("image.length"),   c.column<std::uint32_t>("image.source"),
              c.column<std::uint32_t>("image.boxStart"), c.column<std::uint16_t>("image.frame"),
              c.column<std::uint16_t>("image.width"),    c.column<std::uint16_t>("image.height"),
              c.column<std::uint8_t>("image.camera"),    c.column<std::uint8_t>("image.flags"),
              c.column<std::uint32_t>("image.crc")};
  m_boxes = {c.column<std::uint16_t>("box.x"),
             c.column<std::uint16_t>("box.y"),
             c.column<std::uint16_t>("box.w"),
             c.column<std::uint16_t>("box.h"),
             c.column<std::uint8_t>("box.type"),
             c.column<std::uint8_t>("box.level"),
             c.column<std::uint32_t>("box.track"),
             c.column<std::int16_t>("fine.x"),
             c.column<std::int16_t>("fine.y"),
             c.column<std::int16_t>("fine.w"),
             c.column<std::int16_t>("fine.h"),
             c.column<double>("box.area"),
             meta.origin,
             meta.quantum};
  m_projected = sideColumns<float>(c, "projected");
  m_crowds = sideColumns<double>(c, "crowd");
  m_tracks = table("track");
  m_names = table("name");
  m_prefixes = table("prefix");
  m_suffixes = table("suffix");
  m_frameTimestamps = c.column<std::int64_t>("frame.timestamp");
  m_framePositions = c.column<double>("frame.position");
  m_extra = c.text("extra");
  m_info.images = static_cast<std::uint32_t>(m_images.size());
  m_info.boxes = static_cast<std::uint32_t>(m_boxes.size());
  m_info.frames = static_cast<std::uint32_t>(m_frameTimestamps.size());
  return checkShape();
}

Status Segment::checkShape() const {
  const std::size_t n = m_images.size(), b = m_boxes.size();
  const bool images = m_images.offset.size() == n && m_images.length.size() == n && m_images.source.size() == n &&
                      m_images.boxStart.size() == n + 1 && m_images.frame.size() == n && m_images.width.size() == n &&
                      m_images.height.size() == n && m_images.camera.size() == n && m_images.flags.size() == n &&
                      (m_images.crc.empty() || m_images.crc.size() == n);
  const bool boxes = m_boxes.y.size() == b && m_boxes.w.size() == b && m_boxes.h.size() == b &&
                     m_boxes.type.size() == b && m_boxes.level.size() == b && m_boxes.track.size() == b &&
                     (m_boxes.area.empty() || m_boxes.area.size() == b);
  bool ordered = images && m_images.boxStart.back() == b;
  for (std::size_t i = 0; ordered && i < n; ++i) ordered = m_images.boxStart[i] <= m_images.boxStart[i + 1];
  for (std::size_t i = 0; ordered && i < n; ++i) ordered = m_images.camera[i] < kIndexCameraCount;
  if (images && boxes && ordered && fits(m_projected, n) && fits(m_crowds, n)) return {};
  return badInput("damaged index file: its columns do not belong together", m_path.string(),
                  "run `roadtune data index` again on the same sources");
}

Segment::StringTable Segment::table(std::string_view name) const {
  const std::string base(name);
  return {m_columns.column<std::uint64_t>(base + ".starts"), m_columns.text(base + ".bytes")};
}

std::string_view Segment::StringTable::at(std::size_t i) const {
  if (starts.empty() || i + 1 >= starts.size()) return {};
  if (starts[i] > starts[i + 1] || starts[i + 1] > bytes.size()) return {};
  return bytes.substr(starts[i], starts[i + 1] - starts[i]);
}

// The column ends at its last number: beyond it the time tells.
std::uint32_t Segment::frameOf(std::size_t row) const {
  const std::uint32_t stored = m_images.frame[row];
  if (stored < std::numeric_limits<std::uint16_t>::max()) return stored;
  const auto found = std::lower_bound(m_frameTimestamps.begin(), m_frameTimestamps.end(), m_images.timestamp[row]);
  return std::max(stored, static_cast<std::uint32_t>(found - m_frameTimestamps.begin()));
}

// All but the track's id.
Box Segment::shape(std::size_t row) const {
  const BoxColumns& b = m_boxes;
  Box box;
  box.x = b.origin + pixels(b.quantum, b.x[row], b.fineX, row);
  box.y = b.origin + pixels(b.quantum, b.y[row], b.fineY, row);
  box.w = pixels(b.quantum, b.w[row], b.fineW, row);
  box.h = pixels(b.quantum, b.h[row], b.fineH, row);
  box.type = m_toIndex[b.type[row]];
  box.detectionLevel = b.level[row] & 3;
  box.trackingLevel = (b.level[row] >> 2) & 3;
  if (!b.area.empty()) box.statedArea = b.area[row];
  return box;
}

Box Segment::box(std::size_t row) const {
  Box box = shape(row);
  box.id = std::string(trackId(row));
  return box;
}

// Columns and ids lie all over the file: all are asked for before the first is waited for.
std::vector<Box> Segment::boxesOf(std::size_t imageRow) const {
  const std::size_t begin = m_images.boxStart[imageRow], end = m_images.boxStart[imageRow + 1];
  if (begin == end) return {};
  const BoxColumns& b = m_boxes;
  const auto ask = [&](auto... columns) { ((columns.empty() ? void() : __builtin_prefetch(&columns[begin])), ...); };
  ask(b.track, b.x, b.y, b.w, b.h, b.fineX, b.fineY, b.fineW, b.fineH, b.type, b.level);
  std::vector<Box> result;
  result.reserve(end - begin);
  std::vector<std::string_view> ids;
  ids.reserve(end - begin);
  for (std::size_t row = begin; row < end; ++row) {
    ids.push_back(trackId(row));
    __builtin_prefetch(ids.back().data());
  }
  for (std::size_t row = begin; row < end; ++row) result.push_back(shape(row));
  for (std::size_t i = 0; i < ids.size(); ++i) result[i].id = std::string(ids[i]);
  return result;
}

std::vector<Box> Segment::projectedOf(std::size_t imageRow) const {
  return sideBoxes(m_projected, imageRow, m_toIndex);
}

std::vector<Box> Segment::crowdsOf(std::size_t imageRow) const { return sideBoxes(m_crowds, imageRow, m_toIndex); }

std::string_view Segment::trackId(std::size_t row) const { return m_tracks.at(m_boxes.track[row]); }
std::string_view Segment::imageName(std::size_t row) const { return m_names.at(row); }
std::string_view Segment::prefix(std::size_t row) const { return m_prefixes.at(row); }
std::string_view Segment::suffix(std::size_t row) const { return m_suffixes.at(row); }
Status Segment::verify() const { return m_columns.verify(""); }

bool holdsItsPictures(const Segment& segment, const std::filesystem::path& blob) {
  const ImageColumns& images = segment.images();
  std::uint64_t end = 0;
  for (std::size_t row = 0; row < images.source.size(); ++row)
    if (images.source[row] == Segment::kInBlob && !(images.flags[row] & kImageMissing))
      end = std::max(end, images.offset[row] + images.length[row]);
  if (end == 0) return true;
  std::error_code code;
  const auto size = std::filesystem::file_size(blob, code);
  return !code && size >= end;
}

bool picturesAreWhole(const Segment& segment, const std::filesystem::path& blob) {
  const ImageColumns& images = segment.images();
  if (images.crc.empty()) return true;
  const Result<MappedFile> file = MappedFile::open(blob, MappedFile::Access::Sequential);
  if (!file.ok()) return false;
  for (std::size_t row = 0; row < images.size(); ++row) {
    if (images.source[row] != Segment::kInBlob) continue;
    const std::uint64_t offset = images.offset[row], length = images.length[row];
    if (offset + length > file.value().size()) return false;
    if (crc32c(file.value().bytes().subspan(offset, length)) != images.crc[row]) return false;
  }
  return true;
}

}  // namespace roadtune::data
