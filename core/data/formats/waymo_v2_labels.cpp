// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/waymo_v2.h"
#include "core/data/formats/waymo_v2_columns.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace roadtune::data {

namespace {

std::optional<Transform> cellTransform(const ParquetColumn& column, std::int64_t row) {
  const auto values = column.numbers(row);
  Transform out{};
  if (values.size() != out.size()) return std::nullopt;
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

double cellNumber(const ParquetRows& rows, const std::string& name, std::int64_t row) {
  return rows[name].number(row).value_or(0);
}

int cellLevel(const ParquetRows& rows, const std::string& name, std::int64_t row) {
  return static_cast<int>(rows[name].integer(row).value_or(0));
}

// Gathers the components of one segment by their keys.
class Collector {
 public:
  explicit Collector(const WaymoV2Segment& segment) : m_segment(segment) {}

  Result<WaymoV2Labels> collect() {
    part("camera_image", {kKeyTime, kKeyCamera}, imageColumns(),
         [this](const auto& rows, auto row) { addImage(rows, row); });
    part("stats", {kKeyTime}, {kStats + ".time_of_day", kStats + ".location", kStats + ".weather"},
         [this](const auto& rows, auto row) { addStats(rows, row); });
    part("vehicle_pose", {kKeyTime}, {kVehiclePose + ".world_from_vehicle.transform"},
         [this](const auto& rows, auto row) {
           frameAt(rows, row).pose = cellTransform(rows[kVehiclePose + ".world_from_vehicle.transform"], row);
         });
    part("camera_calibration", {kKeyCamera}, calibrationColumns(),
         [this](const auto& rows, auto row) { addCalibration(rows, row); });
    m_out.labelled = part("camera_box", flatBoxColumns(kCameraBox), boxColumns(),
                          [this](const auto& rows, auto row) { addCameraBox(rows, row); });
    part("projected_lidar_box", flatBoxColumns(kProjectedBox), {},
         [this](const auto& rows, auto row) { addProjected(rows, row); });
    part("lidar_box", {kKeyTime}, lidarColumns(), [this](const auto& rows, auto row) { addLidar(rows, row); });
    part("camera_to_lidar_box_association", {kKeyTime, kKeyCamera, kKeyCameraObject, kKeyLaserObject}, {},
         [this](const auto& rows, auto row) { associate(rows, row); });
    if (m_readable == 0 && !m_out.problems.empty()) return badInput(m_out.problems.front());
    finish();
    return std::move(m_out);
  }

 private:
  // Reads one component if it is there. False when it is missing, unreadable, or lacks a needed column.
  template <class Visit>
  bool part(const std::string& component, const std::vector<std::string>& needed, std::vector<std::string> columns,
            Visit&& visit) {
    const auto path = m_segment.components.find(component);
    if (path == m_segment.components.end()) return false;
    auto file = ParquetFile::open(path->second);
    Status status = file.ok() ? Status{} : Status{file.error()};
    for (const std::string& name : needed)
      if (status.ok() && !file.value().hasColumn(name))
        status = badInput("has no column '" + name + "'", path->second.string());
    if (status.ok()) {
      columns.insert(columns.end(), needed.begin(), needed.end());
      columns.insert(columns.end(), {kKeySegment, kKeyCameraObject, kKeyLaserObject});
      const bool timed = std::find(needed.begin(), needed.end(), kKeyTime) != needed.end();
      std::size_t timeless = 0, visited = 0;
      status = file.value().forEach(columns, [&](const ParquetRows& rows) {
        for (std::int64_t row = 0; row < rows.size(); ++row)
          if (timed && !rows[kKeyTime].integer(row)) {
            ++timeless;
          } else {
            visit(rows, row);
            ++visited;
          }
        return true;
      });
      if (status.ok() && timeless > 0) {
        const Error error = withoutTime(timeless, path->second);
        if (visited == 0) status = error;
        const bool toldLater = component == "camera_image";  // with its pictures
        if (visited > 0 && !toldLater)
          m_out.problems.push_back(path->second.string() + ": " + error.what + "; left out");
      }
    }
    if (!status.ok()) {
      const Error& error = status.error();
      m_out.problems.push_back(path->second.string() + ": " + error.what + "; the " + component +
                               " part of the segment was left out");
      return false;
    }
    ++m_readable;
    return true;
  }

  static std::vector<std::string> imageColumns() {
    std::vector<std::string> names = {kImage + ".pose.transform", kImage + ".pose_timestamp"};
    for (const char* axis : {"x", "y", "z"}) {
      names.push_back(kImage + ".velocity.linear_velocity." + axis);
      names.push_back(kImage + ".velocity.angular_velocity." + axis);
    }
    for (const char* what : {"shutter", "camera_trigger_time", "camera_readout_done_time"})
      names.push_back(kImage + ".rolling_shutter_params." + what);
    return names;
  }
  static std::vector<std::string> calibrationColumns() {
    std::vector<std::string> names = {kCalibration + ".extrinsic.transform", kCalibration + ".width",
                                      kCalibration + ".height", kCalibration + ".rolling_shutter_direction"};
    for (const char* what : kIntrinsics) names.push_back(kCalibration + ".intrinsic." + what);
    return names;
  }
  // Without one of these a box is none.
  static std::vector<std::string> flatBoxColumns(const std::string& component) {
    std::vector<std::string> names = {kKeyTime, kKeyCamera, component + ".type"};
    for (const char* axis : {"x", "y"})
      for (const char* what : {".box.center.", ".box.size."}) names.push_back(component + what + axis);
    return names;
  }
  static std::vector<std::string> boxColumns() {
    return {kCameraBox + ".difficulty_level.detection", kCameraBox + ".difficulty_level.tracking"};
  }
  static std::vector<std::string> lidarColumns() {
    std::vector<std::string> names = {kLidarBox + ".type",
                                      kLidarBox + ".box.heading",
                                      kLidarBox + ".num_lidar_points_in_box",
                                      kLidarBox + ".speed.x",
                                      kLidarBox + ".speed.y",
                                      kLidarBox + ".difficulty_level.detection",
                                      kLidarBox + ".difficulty_level.tracking"};
    for (const char* axis : {"x", "y", "z"})
      for (const char* what : {".box.center.", ".box.size."}) names.push_back(kLidarBox + what + axis);
    return names;
  }

  WaymoFrame& frameAt(const ParquetRows& rows, std::int64_t row) {
    const std::int64_t time = rows[kKeyTime].integer(row).value_or(0);
    WaymoFrame& frame = m_frames[time];
    frame.timestampMicros = time;
    if (frame.context.empty()) frame.context = rows[kKeySegment].text(row);
    return frame;
  }

  static WaymoCameraLabels& entryOf(std::vector<WaymoCameraLabels>& all, int camera) {
    for (auto& entry : all)
      if (entry.camera == camera) return entry;
    return all.emplace_back(WaymoCameraLabels{camera, {}});
  }

  void addImage(const ParquetRows& rows, std::int64_t row) {
    WaymoImage image;
    image.camera = cameraNumber(rows[kKeyCamera], row);
    image.pose = cellTransform(rows[kImage + ".pose.transform"], row);
    std::size_t slot = 0;
    for (const char* part : {".velocity.linear_velocity.", ".velocity.angular_velocity."})
      for (const char* axis : {"x", "y", "z"}) image.velocity[slot++] = cellNumber(rows, kImage + part + axis, row);
    image.poseTimestamp = cellNumber(rows, kImage + ".pose_timestamp", row);
    image.shutter = cellNumber(rows, kImage + ".rolling_shutter_params.shutter", row);
    image.triggerTime = cellNumber(rows, kImage + ".rolling_shutter_params.camera_trigger_time", row);
    image.readoutDoneTime = cellNumber(rows, kImage + ".rolling_shutter_params.camera_readout_done_time", row);
    frameAt(rows, row).images.push_back(std::move(image));
  }

  void addStats(const ParquetRows& rows, std::int64_t row) {
    WaymoStats& stats = frameAt(rows, row).stats;
    stats.timeOfDay = rows[kStats + ".time_of_day"].text(row);
    stats.location = rows[kStats + ".location"].text(row);
    stats.weather = rows[kStats + ".weather"].text(row);
  }

  void addCalibration(const ParquetRows& rows, std::int64_t row) {
    WaymoCalibration out;
    out.camera = cameraNumber(rows[kKeyCamera], row);
    for (std::size_t i = 0; i < out.intrinsic.size(); ++i)
      out.intrinsic[i] = cellNumber(rows, kCalibration + ".intrinsic." + kIntrinsics[i], row);
    out.extrinsic = cellTransform(rows[kCalibration + ".extrinsic.transform"], row);
    out.width = static_cast<int>(cellNumber(rows, kCalibration + ".width", row));
    out.height = static_cast<int>(cellNumber(rows, kCalibration + ".height", row));
    out.rollingShutter = cellLevel(rows, kCalibration + ".rolling_shutter_direction", row);
    m_out.calibrations.push_back(out);
  }

  // What is null is no number: such a box is left out when it is written, and named.
  static double coordinate(const ParquetRows& rows, const std::string& name, std::int64_t row) {
    return rows[name].number(row).value_or(std::nan(""));
  }

  static WaymoLabel flatBox(const ParquetRows& rows, const std::string& component, std::int64_t row) {
    WaymoLabel label;
    label.type = labelNumber(rows[component + ".type"], row);
    label.centerX = coordinate(rows, component + ".box.center.x", row);
    label.centerY = coordinate(rows, component + ".box.center.y", row);
    label.length = coordinate(rows, component + ".box.size.x", row);
    label.width = coordinate(rows, component + ".box.size.y", row);
    return label;
  }

  void addCameraBox(const ParquetRows& rows, std::int64_t row) {
    WaymoLabel label = flatBox(rows, kCameraBox, row);
    label.id = rows[kKeyCameraObject].text(row);
    label.detectionDifficulty = cellLevel(rows, kCameraBox + ".difficulty_level.detection", row);
    label.trackingDifficulty = cellLevel(rows, kCameraBox + ".difficulty_level.tracking", row);
    entryOf(frameAt(rows, row).cameraLabels, cameraNumber(rows[kKeyCamera], row)).labels.push_back(std::move(label));
  }

  void addProjected(const ParquetRows& rows, std::int64_t row) {
    WaymoLabel label = flatBox(rows, kProjectedBox, row);
    const int camera = cameraNumber(rows[kKeyCamera], row);
    label.id =
        std::string(rows[kKeyLaserObject].text(row)) + "_" + std::string(cameraName(static_cast<Camera>(camera)));
    entryOf(frameAt(rows, row).projectedLabels, camera).labels.push_back(std::move(label));
  }

  void addLidar(const ParquetRows& rows, std::int64_t row) {
    WaymoLabel label = flatBox(rows, kLidarBox, row);
    label.id = rows[kKeyLaserObject].text(row);
    label.centerZ = cellNumber(rows, kLidarBox + ".box.center.z", row);
    label.height = cellNumber(rows, kLidarBox + ".box.size.z", row);
    label.heading = cellNumber(rows, kLidarBox + ".box.heading", row);
    label.lidarPoints = static_cast<int>(rows[kLidarBox + ".num_lidar_points_in_box"].integer(row).value_or(-1));
    label.speedX = cellNumber(rows, kLidarBox + ".speed.x", row);
    label.speedY = cellNumber(rows, kLidarBox + ".speed.y", row);
    label.detectionDifficulty = cellLevel(rows, kLidarBox + ".difficulty_level.detection", row);
    label.trackingDifficulty = cellLevel(rows, kLidarBox + ".difficulty_level.tracking", row);
    frameAt(rows, row).laserLabels.push_back(std::move(label));
  }

  void associate(const ParquetRows& rows, std::int64_t row) {
    for (WaymoLabel& label : entryOf(frameAt(rows, row).cameraLabels, cameraNumber(rows[kKeyCamera], row)).labels)
      if (label.id == rows[kKeyCameraObject].text(row)) label.laserObjectId = rows[kKeyLaserObject].text(row);
  }

  void finish() {
    for (auto& [time, frame] : m_frames) {
      if (frame.context.empty()) frame.context = m_segment.context;
      if (m_out.labelled) {
        for (const WaymoImage& image : frame.images) entryOf(frame.cameraLabels, image.camera);
      } else {
        frame.cameraLabels.clear();
      }
      frame.calibrations = m_out.calibrations;
      m_out.frames.push_back(std::move(frame));
    }
  }

  static constexpr const char* kIntrinsics[] = {"f_u", "f_v", "c_u", "c_v", "k1", "k2", "p1", "p2", "k3"};
  const WaymoV2Segment& m_segment;
  WaymoV2Labels m_out;
  std::map<std::int64_t, WaymoFrame> m_frames;
  int m_readable = 0;
};

}  // namespace

Result<WaymoV2Labels> readWaymoV2Labels(const WaymoV2Segment& segment) { return Collector(segment).collect(); }

}  // namespace roadtune::data
