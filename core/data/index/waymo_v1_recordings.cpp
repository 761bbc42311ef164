// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/waymo_v1_recordings.h"

#include "core/base/text.h"
#include "core/data/image/image_header.h"
#include "core/data/index/find_files.h"
#include "core/data/index/split_names.h"
#include "core/data/index/waymo_recording.h"
#include "core/data/records/damaged_byte.h"
#include "core/data/records/tfrecord_reader.h"
#include "core/data/records/waymo_v1_reader.h"

#include <fmt/format.h>

#include <map>
#include <sys/mman.h>

namespace roadtune::data {

namespace {

bool isRecordName(const std::string& name) {
  return endsWith(name, ".tfrecord") || name.find(".tfrecord-") != std::string::npos || endsWith(name, ".tfrecords");
}

// Frames of one file, by context; nearly always one.
class FileReader {
 public:
  FileReader(const ImportUnit& unit, RecordingSink& sink) : m_unit(unit), m_sink(sink), m_file(unit.files.front()) {}

  Status run() {
    ROADTUNE_TRY(TfRecordReader reader, TfRecordReader::open(m_file, TfRecordReader::PayloadCrc::Check));
    m_bytes = reader.bytes();
    if (m_bytes.empty()) return badInput("the file is empty", m_file.string());
    ::madvise(const_cast<std::uint8_t*>(m_bytes.data()), m_bytes.size(), MADV_SEQUENTIAL);
    std::uint64_t done = 0;
    while (const std::optional<Record> record = reader.next()) {
      const std::uint64_t end = record->payloadOffset + record->payload.size();
      if (!m_sink.advance(end - done)) return cancelled();
      done = end;
      ROADTUNE_CHECK(addRecord(*record));
    }
    for (const RecordProblem& problem : reader.problems())
      if (problem.fault != RecordFault::PayloadCrc) note(problem.offset, problem.what, problem.action);
    if (!m_sink.advance(m_bytes.size() - done)) return cancelled();
    if (m_recordings.empty()) return badInput("holds no readable frame", m_file.string());
    for (auto& [name, recording] : m_recordings) ROADTUNE_CHECK(m_sink.deliver(std::move(recording)));
    return {};
  }

 private:
  void note(std::uint64_t offset, std::string what, std::string done, std::string segment = {}) {
    m_sink.problem({.file = m_file.string(),
                    .offset = static_cast<std::int64_t>(offset),
                    .segment = std::move(segment),
                    .what = std::move(what),
                    .done = std::move(done)});
  }

  Status addRecord(const Record& record) {
    WaymoReadOptions options;
    options.laserLabels = false;
    const Result<WaymoFrame> frame = readWaymoFrame(record.payload, record.payloadOffset, options);
    if (!record.payloadOk && !(frame.ok() && onlyLidarIsDamaged(record, frame.value()))) {
      note(record.offset, "the payload CRC of the record does not match", "this frame was left out");
      return {};
    }
    if (!frame.ok()) {
      note(record.offset, frame.error().what, "this frame was left out");
      return {};
    }
    if (frame.value().context.empty() || hasControlCharacters(frame.value().context)) {
      note(record.offset, "the record names no segment (context.name); it is no Waymo frame", "it was left out");
      return {};
    }
    ROADTUNE_TRY(Recording * recording, recordingOf(frame.value().context));
    addFrame(frame.value(), *recording);
    return {};
  }

  // The CRC covers the lidar bytes too, which nobody here reads: damage that lies among them costs nothing.
  static bool onlyLidarIsDamaged(const Record& record, const WaymoFrame& frame) {
    const auto at = findDamagedByte(record.payload, record.storedCrc);
    if (!at) return false;
    const std::uint64_t offset = record.payloadOffset + *at;
    return offset >= frame.lidarOffset && offset < frame.lidarEnd;
  }

  Result<Recording*> recordingOf(const std::string& context) {
    const auto [at, isNew] = m_recordings.try_emplace(context);
    if (isNew) {
      Recording& recording = at->second;
      recording.name = context;
      recording.split = m_unit.split;
      recording.format = "waymo-v1";
      recording.waymo = !isSynthContext(context);
      recording.projected = true;
      ROADTUNE_CHECK(m_sink.announce(context, recording.waymo));
    }
    return &at->second;
  }

  void addFrame(const WaymoFrame& frame, Recording& recording) {
    addFrameFacts(frame, recording);
    if (m_calibrations.empty()) m_calibrations = frame.calibrations;
    for (const WaymoImage& source : frame.images) {
      if (!isIndexedCamera(source.camera)) continue;
      if (source.size == 0 || source.offset + source.size > m_bytes.size()) {
        note(frame.images.front().offset,
             fmt::format("frame {} has no picture of camera {}", frame.timestampMicros,
                         cameraName(static_cast<Camera>(source.camera))),
             "this image was left out", recording.name);
        continue;
      }
      recording.images.push_back(image(frame, source, recording.name));
    }
  }

  RecordedImage image(const WaymoFrame& frame, const WaymoImage& source, const std::string& segment) {
    RecordedImage image;
    image.timestamp = frame.timestampMicros;
    image.camera = static_cast<Camera>(source.camera);
    image.file = 0;
    image.offset = source.offset;
    image.length = static_cast<std::uint32_t>(source.size);
    const auto& calibrations = frame.calibrations.empty() ? m_calibrations : frame.calibrations;
    std::tie(image.width, image.height) = calibratedSize(calibrations, source.camera);
    const auto bytes = m_bytes.subspan(source.offset, source.size);
    const bool known = sniffImageFormat(bytes) != ImageFormat::Unknown;
    if (!known || image.width <= 0 || image.height <= 0) lookInto(bytes, source.offset, segment, image);
    if (const WaymoCameraLabels* labels = frame.labelsOf(source.camera)) {
      image.labelled = true;
      for (const WaymoLabel& label : labels->labels) image.boxes.push_back(boxOfLabel(label));
    }
    image.projected = projectedBoxes(frame, source.camera);
    return image;
  }

  void lookInto(std::span<const std::uint8_t> bytes, std::uint64_t offset, const std::string& segment,
                RecordedImage& image) {
    const Result<ImageHeader> header = readImageHeader(bytes);
    if (header.ok()) {
      image.width = header.value().width;
      image.height = header.value().height;
      return;
    }
    image.corrupt = true;
    note(offset,
         fmt::format("the picture of camera {} at {} cannot be read: {}", cameraName(image.camera), image.timestamp,
                     header.error().what),
         "it stays in the index, marked as damaged", segment);
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  std::filesystem::path m_file;
  std::span<const std::uint8_t> m_bytes;
  std::map<std::string, Recording> m_recordings;
  std::vector<WaymoCalibration> m_calibrations;
};

}  // namespace

Result<std::vector<ImportUnit>> WaymoV1Recordings::discover(const std::filesystem::path& path) const {
  std::vector<ImportUnit> units;
  std::error_code code;
  const std::filesystem::path source = std::filesystem::absolute(path, code).lexically_normal();
  for (const std::filesystem::path& file : findFiles(path, isRecordName))
    units.push_back({.name = file.string(), .split = splitOfWaymoFile(file, source), .files = {file}});
  return units;
}

Status WaymoV1Recordings::read(const ImportUnit& unit, RecordingSink& sink) const {
  return FileReader(unit, sink).run();
}

}  // namespace roadtune::data
