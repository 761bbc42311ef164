// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/segment_writer.h"

#include "core/base/counted.h"
#include "core/data/index/column_file.h"
#include "core/data/index/columns.h"
#include "core/data/index/segment.h"
#include "core/data/index/segment_meta.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace roadtune::data {

namespace {

template <class T>
T clampTo(double value) {
  return static_cast<T>(std::clamp<double>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

// The grid that coordinates are stored on: Waymo's fits 1/32 px from 0; larger or negative values get their own.
struct Grid {
  double origin = 0, quantum = 1.0 / 32;

  void fit(const std::vector<RecordedImage>& images) {
    double low = 0, high = 0;
    for (const RecordedImage& image : images)
      for (const Box& box : image.boxes) {
        low = std::min({low, box.x, box.y});
        high = std::max({high, box.x, box.y, box.w, box.h});
      }
    origin = std::floor(low);
    while ((high - origin) / quantum > 65534) quantum *= 2;
  }
  // Nearest point of the grid, and what is left over in 1/65536 of a step.
  void split(double value, double from, std::vector<std::uint16_t>& coarse, std::vector<std::int16_t>& fine) const {
    const double steps = (value - from) / quantum;
    const double nearest = std::round(steps);
    coarse.push_back(clampTo<std::uint16_t>(nearest));
    fine.push_back(clampTo<std::int16_t>(std::round((steps - nearest) * 65536)));
  }
};

struct StringColumn {
  std::vector<std::uint64_t> starts = {0};
  std::string bytes;
  bool used = false;

  void add(const std::string& text) {
    bytes += text;
    starts.push_back(bytes.size());
    used = used || !text.empty();
  }
  void write(ColumnFileWriter& writer, const std::string& name) const {
    if (!used) return;
    writer.add(name + ".starts", starts);
    writer.addText(name + ".bytes", bytes);
  }
};

// Boxes beside the boxes: where those of each image start, and what they are.
template <class Number>
struct SideBoxes {
  std::vector<std::uint32_t> start = {0};
  std::vector<Number> x, y, w, h;
  std::vector<std::uint8_t> type;

  void add(const std::vector<Box>& boxesOfImage) {
    for (const Box& box : boxesOfImage) {
      x.push_back(static_cast<Number>(box.x));
      y.push_back(static_cast<Number>(box.y));
      w.push_back(static_cast<Number>(box.w));
      h.push_back(static_cast<Number>(box.h));
      type.push_back(box.type);
    }
    start.push_back(static_cast<std::uint32_t>(type.size()));
  }
  void write(ColumnFileWriter& writer, const std::string& name) const {
    writer.add(name + ".start", start);
    writer.add(name + ".x", x);
    writer.add(name + ".y", y);
    writer.add(name + ".w", w);
    writer.add(name + ".h", h);
    writer.add(name + ".type", type);
  }
};

class Builder {
 public:
  Builder(Recording recording, std::vector<Problem>& problems)
      : m_recording(std::move(recording)), m_problems(problems) {}

  void prepare() {
    auto& images = m_recording.images;
    std::stable_sort(images.begin(), images.end(), [](const RecordedImage& a, const RecordedImage& b) {
      return std::tie(a.timestamp, a.camera) < std::tie(b.timestamp, b.camera);
    });
    const bool rig = m_recording.waymo || m_recording.format.starts_with("waymo");
    if (rig) dropRepeated();
    for (RecordedImage& image : images) dropImpossible(image, rig);
    if (m_impossible > 0)
      note(counted(m_impossible, "box", "boxes") +
               " with impossible coordinates (no numbers, no size, or outside the picture)",
           "left out");
    if (m_unlabelled > 0)
      note("of " + counted(m_unlabelled, "picture", "pictures") + " no label could be read",
           m_unlabelled == 1 ? "it counts as not labelled" : "they count as not labelled");
    m_grid.fit(images);
  }

  Result<SegmentInfo> write(const std::vector<SourceFile>& sources, const std::string& unit, const ImageBase& base,
                            const std::filesystem::path& file) {
    for (const RecordedImage& image : m_recording.images) addImage(image);
    ColumnFileWriter writer;
    addColumns(writer);
    SegmentMeta meta;
    meta.info = info(sources, base);
    meta.unit = unit;
    meta.classes = m_recording.classes;
    meta.origin = m_grid.origin;
    meta.quantum = m_grid.quantum;
    writer.addText("meta", formatSegmentMeta(meta));
    if (!m_recording.metaJson.empty()) writer.addText("extra", m_recording.metaJson);
    ROADTUNE_CHECK(writer.write(file));
    return meta.info;
  }

 private:
  void note(std::string what, std::string done) {
    m_problems.push_back({.file = {}, .segment = m_recording.name, .what = std::move(what), .done = std::move(done)});
  }

  void dropRepeated() {
    auto& images = m_recording.images;
    const auto same = [](const RecordedImage& a, const RecordedImage& b) {
      return a.timestamp == b.timestamp && a.camera == b.camera;
    };
    const auto end = std::unique(images.begin(), images.end(), same);
    const auto dropped = std::distance(end, images.end());
    if (dropped > 0)
      note(counted(dropped, "image shares", "images share") + " timestamp and camera with another one",
           "the first was kept");
    images.erase(end, images.end());
  }

  // What a rig's labellers wrote is kept as it is; of other data, boxes without a place are mistakes.
  void dropImpossible(RecordedImage& image, bool rig) {
    const auto impossible = [&](const Box& box) { return !possible(box) || (!rig && isNowhere(box, image)); };
    const auto dropped = std::erase_if(image.boxes, impossible);
    m_impossible += dropped + std::erase_if(image.crowds, impossible);
    m_impossible += std::erase_if(image.projected, [&](const Box& box) { return !possible(box); });
    // Labels of which none could be read do not say that nothing is there.
    if (!image.labelled || !image.boxes.empty() || !image.crowds.empty() || dropped + image.unread == 0) return;
    image.labelled = false;
    ++m_unlabelled;
  }

  static bool isNowhere(const Box& box, const RecordedImage& image) {
    if (box.w <= 0 || box.h <= 0) return true;
    const bool known = image.width > 0 && image.height > 0;
    return known && (box.x >= image.width || box.y >= image.height || box.x + box.w <= 0 || box.y + box.h <= 0);
  }

  static bool possible(const Box& box) {
    const bool finite = std::isfinite(box.x) && std::isfinite(box.y) && std::isfinite(box.w) && std::isfinite(box.h);
    constexpr double kFar = 1e7;
    return finite && box.w >= 0 && box.h >= 0 && std::abs(box.x) < kFar && std::abs(box.y) < kFar && box.w < kFar &&
           box.h < kFar;
  }

  void addImage(const RecordedImage& image) {
    if (m_frames.empty() || m_frames.back() != image.timestamp) m_frames.push_back(image.timestamp);
    m_timestamp.push_back(image.timestamp);
    m_offset.push_back(image.offset);
    m_length.push_back(image.length);
    m_source.push_back(image.file);
    m_crc.push_back(image.crc.value_or(0));
    m_hasCrc = m_hasCrc || image.crc;
    m_frame.push_back(clampTo<std::uint16_t>(static_cast<double>(m_frames.size() - 1)));
    m_width.push_back(clampTo<std::uint16_t>(image.width));
    m_height.push_back(clampTo<std::uint16_t>(image.height));
    m_camera.push_back(static_cast<std::uint8_t>(image.camera));
    std::uint8_t flags = image.labelled ? kLabelled : 0;
    if (image.file == RecordedImage::kNowhere) flags |= kImageMissing;
    if (image.corrupt) flags |= kImageCorrupt;
    m_flags.push_back(flags);
    m_names.add(image.name);
    m_prefixes.add(image.prefix);
    m_suffixes.add(image.suffix);
    for (const Box& box : image.boxes) addBox(box);
    m_boxStart.push_back(static_cast<std::uint32_t>(m_x.size()));
    m_projected.add(image.projected);
    m_crowds.add(image.crowds);
  }

  void addBox(const Box& box) {
    m_grid.split(box.x, m_grid.origin, m_x, m_fineX);
    m_grid.split(box.y, m_grid.origin, m_y, m_fineY);
    m_grid.split(box.w, 0, m_w, m_fineW);
    m_grid.split(box.h, 0, m_h, m_fineH);
    m_type.push_back(box.type);
    m_level.push_back(static_cast<std::uint8_t>((box.detectionLevel & 3) | ((box.trackingLevel & 3) << 2)));
    const auto [track, isNew] = m_trackNumbers.try_emplace(box.id, static_cast<std::uint32_t>(m_trackNumbers.size()));
    if (isNew) m_tracks.add(box.id);
    m_track.push_back(track->second);
    m_area.push_back(box.statedArea);
    m_hasArea = m_hasArea || box.statedArea > 0;
  }

  void addColumns(ColumnFileWriter& writer) const {
    writer.add("image.timestamp", m_timestamp);
    writer.add("image.offset", m_offset);
    writer.add("image.length", m_length);
    writer.add("image.source", m_source);
    writer.add("image.boxStart", m_boxStart);
    writer.add("image.frame", m_frame);
    writer.add("image.width", m_width);
    writer.add("image.height", m_height);
    if (m_hasCrc) writer.add("image.crc", m_crc);
    writer.add("image.camera", m_camera);
    writer.add("image.flags", m_flags);
    writer.add("box.x", m_x);
    writer.add("box.y", m_y);
    writer.add("box.w", m_w);
    writer.add("box.h", m_h);
    writer.add("box.type", m_type);
    writer.add("box.level", m_level);
    writer.add("box.track", m_track);
    if (m_hasArea) writer.add("box.area", m_area);
    writer.add("fine.x", m_fineX);
    writer.add("fine.y", m_fineY);
    writer.add("fine.w", m_fineW);
    writer.add("fine.h", m_fineH);
    if (m_recording.projected) m_projected.write(writer, "projected");
    if (m_recording.crowds) m_crowds.write(writer, "crowd");
    m_tracks.write(writer, "track");
    m_names.write(writer, "name");
    m_prefixes.write(writer, "prefix");
    m_suffixes.write(writer, "suffix");
    writer.add("frame.timestamp", m_frames);
    writer.add("frame.position", positions());
  }

  std::vector<double> positions() const {
    if (m_recording.positions.empty()) return {};
    std::vector<double> result;
    for (const std::int64_t timestamp : m_frames) {
      const auto found = m_recording.positions.find(timestamp);
      for (int axis = 0; axis < 3; ++axis)
        result.push_back(found == m_recording.positions.end() ? std::nan("") : found->second[std::size_t(axis)]);
    }
    return result;
  }

  SegmentInfo info(const std::vector<SourceFile>& sources, const ImageBase& base) const {
    SegmentInfo info;
    info.name = m_recording.name;
    info.split = m_recording.split;
    info.time = m_recording.time;
    info.location = m_recording.location;
    info.weather = m_recording.weather;
    info.format = m_recording.format;
    info.waymo = m_recording.waymo;
    info.base = base.folder;
    info.nearbyBase = base.nearby;
    info.frames = static_cast<std::uint32_t>(m_frames.size());
    info.images = static_cast<std::uint32_t>(m_timestamp.size());
    info.boxes = static_cast<std::uint32_t>(m_x.size());
    info.sources = sources;
    return info;
  }

  Recording m_recording;
  std::vector<Problem>& m_problems;
  Grid m_grid;
  std::size_t m_impossible = 0, m_unlabelled = 0;
  bool m_hasCrc = false, m_hasArea = false;
  std::vector<std::int64_t> m_timestamp, m_frames;
  std::vector<std::uint64_t> m_offset;
  std::vector<double> m_area;
  std::vector<std::uint32_t> m_length, m_source, m_boxStart = {0}, m_track, m_crc;
  std::vector<std::uint16_t> m_frame, m_width, m_height, m_x, m_y, m_w, m_h;
  std::vector<std::int16_t> m_fineX, m_fineY, m_fineW, m_fineH;
  std::vector<std::uint8_t> m_camera, m_flags, m_type, m_level;
  SideBoxes<float> m_projected;
  SideBoxes<double> m_crowds;
  StringColumn m_tracks, m_names, m_prefixes, m_suffixes;
  std::unordered_map<std::string, std::uint32_t> m_trackNumbers;
};

}  // namespace

Result<SegmentInfo> writeSegment(Recording recording, const std::vector<SourceFile>& sources, const std::string& unit,
                                 const ImageBase& base, const std::filesystem::path& file,
                                 std::vector<Problem>& problems) {
  Builder builder(std::move(recording), problems);
  builder.prepare();
  return builder.write(sources, unit, base, file);
}

}  // namespace roadtune::data
