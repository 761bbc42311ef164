// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/export/pack_index.h"

#include "core/base/files.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/segment_writer.h"

#include <map>

namespace roadtune::data {

namespace {

// A segment as its reader handed it over, without images.
Recording emptyRecording(const Index& index, const Segment& segment) {
  const SegmentInfo& info = segment.info();
  Recording recording;
  recording.name = info.name;
  recording.split = info.split;
  recording.time = info.time;
  recording.location = info.location;
  recording.weather = info.weather;
  recording.format = info.format;
  recording.waymo = info.waymo;
  recording.classes = index.classNames();
  recording.projected = segment.hasProjected();
  recording.crowds = segment.hasCrowds();
  recording.metaJson = std::string(segment.extraJson());
  const auto times = segment.frameTimestamps();
  const auto positions = segment.framePositions();
  for (std::size_t i = 0; 3 * i + 2 < positions.size() && i < times.size(); ++i)
    recording.positions[times[i]] = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
  return recording;
}

RecordedImage imageOfRow(const Segment& segment, std::uint32_t row) {
  const ImageColumns& columns = segment.images();
  RecordedImage image;
  image.timestamp = columns.timestamp[row];
  image.camera = static_cast<Camera>(columns.camera[row]);
  image.width = columns.width[row];
  image.height = columns.height[row];
  image.labelled = columns.flags[row] & kLabelled;
  image.name = std::string(segment.imageName(row));
  image.prefix = std::string(segment.prefix(row));
  image.suffix = std::string(segment.suffix(row));
  image.boxes = segment.boxesOf(row);
  image.projected = segment.projectedOf(row);
  image.crowds = segment.crowdsOf(row);
  return image;
}

}  // namespace

Status writePackIndex(const Index& index, const std::vector<ImageId>& images, const std::vector<PackPlace>& places,
                      const std::vector<PackShard>& shards, const fs::path& out) {
  const IndexLayout layout{fs::absolute(out).lexically_normal()};
  ROADTUNE_CHECK(makeFolders(layout.segmentFolder()));
  std::vector<SourceFile> files;
  for (const PackShard& shard : shards) files.push_back(shard.described);
  Catalogue::Unit unit{.key = "pack:shards", .sources = files, .segments = {}, .problems = {}};
  for (std::size_t i = 0; i < images.size();) {
    const std::uint32_t number = index.locate(images[i]).first;
    const Segment& segment = index.segment(number);
    Recording recording = emptyRecording(index, segment);
    std::map<std::uint32_t, std::uint32_t> used;  // shard -> position among the segment's sources
    std::vector<SourceFile> sources;
    for (; i < images.size() && images[i] < index.firstImage(number + 1); ++i) {
      RecordedImage image = imageOfRow(segment, images[i] - index.firstImage(number));
      const PackPlace& place = places[i];
      if (place.length > 0) {
        const auto [at, isNew] = used.try_emplace(place.shard, static_cast<std::uint32_t>(used.size()));
        if (isNew) sources.push_back(files[place.shard]);
        image.file = at->second;
        image.offset = place.offset;
        image.length = place.length;
      }
      image.crc = place.crc;
      recording.images.push_back(std::move(image));
    }
    const std::string stem = segment.file().stem().string();
    const Result<SegmentInfo> written =
        writeSegment(std::move(recording), sources, unit.key, {}, layout.segment(stem), unit.problems);
    if (!written.ok()) return written.error();
    unit.segments.push_back(stem);
  }
  Catalogue catalogue;
  catalogue.units.push_back(std::move(unit));
  return writeCatalogue(layout, catalogue);
}

}  // namespace roadtune::data
