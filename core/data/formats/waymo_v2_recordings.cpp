// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/data/formats/parquet_recordings.h"
#include "core/data/formats/waymo_v2.h"
#include "core/data/image/image_header.h"
#include "core/data/index/waymo_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

// The components that an index is made from; others (lidar ...) neither cost time nor cause a new import.
constexpr std::array kComponents = {"camera_image",       "camera_box", "projected_lidar_box",
                                    "camera_calibration", "stats",      "vehicle_pose"};

std::string unitName(const WaymoV2Segment& segment) {
  if (segment.components.empty()) return segment.context;
  const fs::path root = segment.components.begin()->second.parent_path().parent_path();
  return (root / segment.context).string();
}

class V2Reader {
 public:
  V2Reader(const ImportUnit& unit, RecordingSink& sink) : m_unit(unit), m_sink(sink) {
    for (const fs::path& file : unit.files) m_segment.components[file.parent_path().filename().string()] = file;
    m_segment.context = unit.files.front().stem().string();
    m_segment.split = unit.split;
  }

  Status run() {
    ROADTUNE_TRY(m_labels, readWaymoV2Labels(m_segment));
    for (const std::string& text : m_labels.problems) tellText(text);
    startRecording();
    ROADTUNE_CHECK(m_sink.announce(m_recording.name, m_recording.waymo));
    if (!m_segment.has("camera_image"))
      return badInput("segment " + m_segment.context + " has no camera_image file", m_unit.files.front().string());
    tellOfLostBoxes();
    ROADTUNE_CHECK(readImages());
    tellOfNoCamera();
    tellOfNoPicture();
    return m_sink.deliver(std::move(m_recording));
  }

 private:
  void tell(const fs::path& file, std::string what, std::string done) {
    m_sink.problem(
        {.file = file.string(), .segment = m_recording.name, .what = std::move(what), .done = std::move(done)});
  }

  // Its neighbours have their boxes: a download that was cut, not a split without labels.
  void tellOfLostBoxes() {
    if (m_segment.has("camera_box")) return;
    const fs::path& images = m_segment.components.at("camera_image");
    const fs::path boxes = images.parent_path().parent_path() / "camera_box";
    std::error_code code;
    if (fs::is_directory(boxes, code))
      tell(boxes / images.filename(), "not there", "its pictures count as not labelled");
  }

  // A key that is null, or no name that is known. Further cameras than the five have a number of their own.
  void tellOfNoCamera() {
    std::size_t boxes = 0;
    for (const WaymoFrame& frame : m_labels.frames)
      for (const WaymoCameraLabels& entry : frame.cameraLabels)
        if (entry.camera <= 0) boxes += entry.labels.size();
    const auto say = [this](const char* component, std::size_t count, const char* one, const char* many) {
      if (count > 0)
        tell(m_segment.components.at(component),
             fmt::format("{} of no camera that is known", counted(count, one, many)), "left out");
    };
    say("camera_image", m_ofNoCamera, "picture", "pictures");
    say("camera_box", boxes, "box", "boxes");
  }

  // Boxes of frames that are not there are none of ours; where that is so of all of them, their keys are no good, and
  // the pictures are not empty.
  void tellOfNoPicture() {
    std::size_t boxes = 0;
    for (const WaymoFrame& frame : m_labels.frames)
      for (const WaymoCameraLabels& entry : frame.cameraLabels)
        if (isIndexedCamera(entry.camera)) boxes += entry.labels.size();
    if (boxes == 0 || m_boxesTaken > 0) return;
    for (RecordedImage& image : m_recording.images) image.labelled = false;
    tell(m_segment.components.at("camera_box"),
         counted(boxes, "box is of no picture that is there", "boxes are of no picture that is there"),
         "the pictures count as not labelled");
  }

  // "path: what; what was done"
  void tellText(const std::string& text) {
    const auto colon = text.find(": ");
    const auto semicolon = text.rfind("; ");
    if (colon == std::string::npos) return tell(m_unit.files.front(), text, "");
    const std::size_t end = semicolon == std::string::npos || semicolon < colon ? text.size() : semicolon;
    tell(text.substr(0, colon), text.substr(colon + 2, end - colon - 2), end < text.size() ? text.substr(end + 2) : "");
  }

  void startRecording() {
    m_recording.name = m_segment.context;
    for (const WaymoFrame& frame : m_labels.frames)
      if (!frame.context.empty()) {
        m_recording.name = frame.context;
        break;
      }
    m_recording.split = m_unit.split;
    m_recording.format = "waymo-v2";
    m_recording.waymo = !isSynthContext(m_recording.name);
    m_recording.projected = true;
    if (!m_labels.calibrations.empty()) m_recording.metaJson = calibrationJson(m_labels.calibrations);
    for (const WaymoFrame& frame : m_labels.frames) addFrameFacts(frame, m_recording);
  }

  Status readImages() {
    const fs::path& file = m_segment.components.at("camera_image");
    Status inner;
    const Status read = forEachWaymoV2Image(file, [&](const WaymoV2Image& image) {
      inner = addImage(image);
      return inner.ok();
    });
    if (!inner.ok()) return inner;
    if (read.ok()) return {};
    if (m_recording.images.empty()) return read.error();
    tell(file, read.error().what, counted(m_recording.images.size(), "picture was kept", "pictures were kept"));
    return {};
  }

  Status addImage(const WaymoV2Image& source) {
    if (!m_sink.advance(source.jpeg.size())) return cancelled();
    if (!isIndexedCamera(source.camera)) {
      if (source.camera <= 0) ++m_ofNoCamera;
      return {};
    }
    const fs::path& file = m_segment.components.at("camera_image");
    if (source.jpeg.empty()) {
      tell(file, fmt::format("camera {} has no picture at {}", source.camera, source.timestampMicros), "left out");
      return {};
    }
    if (!m_seen.insert({source.timestampMicros, source.camera}).second) {
      tell(file, fmt::format("camera {} is there twice at {}", source.camera, source.timestampMicros),
           "the first was kept");
      return {};
    }
    RecordedImage image;
    image.timestamp = source.timestampMicros;
    image.camera = static_cast<Camera>(source.camera);
    image.file = RecordedImage::kBlob;
    image.length = static_cast<std::uint32_t>(source.jpeg.size());
    ROADTUNE_TRY(image.offset, m_sink.storeBytes(source.jpeg));
    std::tie(image.width, image.height) = calibratedSize(m_labels.calibrations, source.camera);
    if (const bool known = sniffImageFormat(source.jpeg) != ImageFormat::Unknown; !known || image.width <= 0)
      lookInto(source, image);
    addLabels(image);
    m_recording.images.push_back(std::move(image));
    return {};
  }

  void lookInto(const WaymoV2Image& source, RecordedImage& image) {
    const Result<ImageHeader> header = readImageHeader(source.jpeg);
    image.corrupt = !header.ok();
    if (header.ok()) {
      image.width = header.value().width;
      image.height = header.value().height;
      return;
    }
    tell(m_segment.components.at("camera_image"),
         fmt::format("the picture of {} at {} cannot be read: {}", cameraName(image.camera), image.timestamp,
                     header.error().what),
         "it stays in the index, marked as damaged");
  }

  void addLabels(RecordedImage& image) {
    image.labelled = m_labels.labelled;
    const auto frame = std::lower_bound(m_labels.frames.begin(), m_labels.frames.end(), image.timestamp,
                                        [](const WaymoFrame& a, std::int64_t t) { return a.timestampMicros < t; });
    if (frame == m_labels.frames.end() || frame->timestampMicros != image.timestamp) return;
    if (const WaymoCameraLabels* labels = frame->labelsOf(static_cast<int>(image.camera)))
      for (const WaymoLabel& label : labels->labels) image.boxes.push_back(boxOfLabel(label));
    m_boxesTaken += image.boxes.size();
    image.projected = projectedBoxes(*frame, static_cast<int>(image.camera));
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  WaymoV2Segment m_segment;
  WaymoV2Labels m_labels;
  Recording m_recording;
  std::set<std::pair<std::int64_t, int>> m_seen;
  std::size_t m_ofNoCamera = 0, m_boxesTaken = 0;
};

}  // namespace

Result<std::vector<ImportUnit>> WaymoV2Recordings::discover(const fs::path& path) const {
  std::vector<ImportUnit> units;
  for (const WaymoV2Segment& segment : findWaymoV2Segments(path)) {
    ImportUnit unit{.name = unitName(segment), .split = segment.split, .files = {}};
    for (const char* component : kComponents)
      if (const auto file = segment.components.find(component); file != segment.components.end())
        unit.files.push_back(fs::absolute(file->second).lexically_normal());
    if (!unit.files.empty()) units.push_back(std::move(unit));
  }
  return units;
}

Status WaymoV2Recordings::read(const ImportUnit& unit, RecordingSink& sink) const { return V2Reader(unit, sink).run(); }

}  // namespace roadtune::data
