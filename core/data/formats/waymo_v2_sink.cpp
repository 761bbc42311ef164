// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/waymo_v2_sink.h"

#include "core/data/formats/parquet_table.h"
#include "core/data/formats/waymo_v2_columns.h"

#include <initializer_list>

namespace roadtune::data {

namespace {

using Specs = std::vector<ColumnSpec>;

const ColumnSpec kSegmentColumn{kKeySegment, ColumnKind::Text}, kTimeColumn{kKeyTime, ColumnKind::Int64},
    kCameraColumn{kKeyCamera, ColumnKind::Int8}, kCameraObjectColumn{kKeyCameraObject, ColumnKind::Text},
    kLaserObjectColumn{kKeyLaserObject, ColumnKind::Text};

constexpr const char* kAxes[] = {"x", "y", "z"};
constexpr const char* kIntrinsicNames[] = {"f_u", "f_v", "c_u", "c_v", "k1", "k2", "p1", "p2", "k3"};

void addAxes(Specs& specs, const std::string& prefix, int axes, ColumnKind kind = ColumnKind::Double) {
  for (int i = 0; i < axes; ++i) specs.push_back({prefix + kAxes[i], kind});
}

void addLevels(Specs& specs, const std::string& component) {
  specs.push_back({component + ".difficulty_level.detection", ColumnKind::Int8});
  specs.push_back({component + ".difficulty_level.tracking", ColumnKind::Int8});
}

Specs imageSpecs() {
  Specs specs = {kSegmentColumn,
                 kTimeColumn,
                 kCameraColumn,
                 {kImage + ".image", ColumnKind::Binary},
                 {kImage + ".pose.transform", ColumnKind::Doubles16}};
  addAxes(specs, kImage + ".velocity.linear_velocity.", 3, ColumnKind::Float);
  addAxes(specs, kImage + ".velocity.angular_velocity.", 3);
  specs.push_back({kImage + ".pose_timestamp", ColumnKind::Double});
  for (const char* what : {"shutter", "camera_trigger_time", "camera_readout_done_time"})
    specs.push_back({kImage + ".rolling_shutter_params." + what, ColumnKind::Double});
  return specs;
}

Specs cameraBoxSpecs() {
  Specs specs = {kSegmentColumn, kTimeColumn, kCameraColumn, kCameraObjectColumn};
  addAxes(specs, kCameraBox + ".box.center.", 2);
  addAxes(specs, kCameraBox + ".box.size.", 2);
  specs.push_back({kCameraBox + ".type", ColumnKind::Int8});
  addLevels(specs, kCameraBox);
  return specs;
}

Specs projectedSpecs() {
  Specs specs = {kSegmentColumn, kTimeColumn, kCameraColumn, kLaserObjectColumn};
  addAxes(specs, kProjectedBox + ".box.center.", 2);
  addAxes(specs, kProjectedBox + ".box.size.", 2);
  specs.push_back({kProjectedBox + ".type", ColumnKind::Int8});
  return specs;
}

Specs lidarSpecs() {
  Specs specs = {kSegmentColumn, kTimeColumn, kLaserObjectColumn};
  addAxes(specs, kLidarBox + ".box.center.", 3);
  addAxes(specs, kLidarBox + ".box.size.", 3);
  specs.push_back({kLidarBox + ".box.heading", ColumnKind::Double});
  specs.push_back({kLidarBox + ".type", ColumnKind::Int8});
  specs.push_back({kLidarBox + ".num_lidar_points_in_box", ColumnKind::Int64});
  specs.push_back({kLidarBox + ".num_top_lidar_points_in_box", ColumnKind::Int64});
  addAxes(specs, kLidarBox + ".speed.", 3);
  addAxes(specs, kLidarBox + ".acceleration.", 3);
  addLevels(specs, kLidarBox);
  return specs;
}

Specs calibrationSpecs() {
  Specs specs = {kSegmentColumn, kCameraColumn};
  for (const char* name : kIntrinsicNames) specs.push_back({kCalibration + ".intrinsic." + name, ColumnKind::Double});
  specs.push_back({kCalibration + ".extrinsic.transform", ColumnKind::Doubles16});
  specs.push_back({kCalibration + ".width", ColumnKind::Int32});
  specs.push_back({kCalibration + ".height", ColumnKind::Int32});
  specs.push_back({kCalibration + ".rolling_shutter_direction", ColumnKind::Int8});
  return specs;
}

Specs statsSpecs() {
  Specs specs = {kSegmentColumn, kTimeColumn};
  for (const char* name : {"time_of_day", "location", "weather"})
    specs.push_back({kStats + "." + name, ColumnKind::Text});
  for (const char* name : {"lidar_object_counts", "camera_object_counts"}) {
    specs.push_back({kStats + "." + name + ".types", ColumnKind::Int8List});
    specs.push_back({kStats + "." + name + ".counts", ColumnKind::Int32List});
  }
  return specs;
}

class WaymoV2Sink : public SynthSink {
 public:
  WaymoV2Sink(std::filesystem::path root, WaymoV2WriteOptions options)
      : m_root(std::move(root)), m_options(std::move(options)) {}

  Status beginSegment(const std::string& context) override {
    m_context = context;
    m_calibrated = false;
    m_tables.clear();
    ROADTUNE_CHECK(open("camera_image", imageSpecs(), m_options.imageRowGroup));
    ROADTUNE_CHECK(open("camera_box", cameraBoxSpecs()));
    ROADTUNE_CHECK(open("projected_lidar_box", projectedSpecs()));
    ROADTUNE_CHECK(open("lidar_box", lidarSpecs()));
    ROADTUNE_CHECK(open("camera_to_lidar_box_association",
                        {kSegmentColumn, kTimeColumn, kCameraColumn, kCameraObjectColumn, kLaserObjectColumn}));
    ROADTUNE_CHECK(open("camera_calibration", calibrationSpecs()));
    ROADTUNE_CHECK(open("stats", statsSpecs()));
    return open("vehicle_pose",
                {kSegmentColumn, kTimeColumn, {kVehiclePose + ".world_from_vehicle.transform", ColumnKind::Doubles16}});
  }

  Status add(const SynthFrame& source) override {
    const WaymoFrame& frame = source.frame;
    for (const WaymoImage& image : frame.images) ROADTUNE_CHECK(addImage(frame, image, source.jpegOf(image)));
    for (const auto& entry : frame.cameraLabels)
      for (const WaymoLabel& label : entry.labels) ROADTUNE_CHECK(addCameraBox(frame, entry.camera, label));
    for (const auto& entry : frame.projectedLabels)
      for (const WaymoLabel& label : entry.labels) ROADTUNE_CHECK(addProjected(frame, entry.camera, label));
    for (const WaymoLabel& label : frame.laserLabels) ROADTUNE_CHECK(addLidar(frame, label));
    ROADTUNE_CHECK(addStats(frame));
    if (frame.pose) {
      ParquetTable& table = startRow("vehicle_pose", &frame);
      table.transform(kVehiclePose + ".world_from_vehicle.transform", *frame.pose);
      ROADTUNE_CHECK(table.endRow());
    }
    if (m_calibrated) return {};
    m_calibrated = true;
    for (const WaymoCalibration& calibration : frame.calibrations) ROADTUNE_CHECK(addCalibration(calibration));
    return {};
  }

  Status endSegment() override {
    for (auto& [component, table] : m_tables) ROADTUNE_CHECK(table->close());
    m_tables.clear();
    return {};
  }
  Status finish() override { return {}; }

 private:
  Status open(const std::string& component, Specs specs, int rowGroup = 65536) {
    ROADTUNE_TRY(auto table, ParquetTable::create(m_root / m_options.split / component / (m_context + ".parquet"),
                                                  std::move(specs), m_options.codec, rowGroup));
    m_tables[component] = std::move(table);
    return {};
  }

  ParquetTable& startRow(const std::string& component, const WaymoFrame* frame, int camera = 0) {
    ParquetTable& table = *m_tables.at(component);
    table.text(kKeySegment, m_context);
    if (frame) table.integer(kKeyTime, frame->timestampMicros);
    if (camera) table.integer(kKeyCamera, camera);
    return table;
  }

  Status addImage(const WaymoFrame& frame, const WaymoImage& image, std::string_view jpeg) {
    ParquetTable& table = startRow("camera_image", &frame, image.camera);
    table.text(kImage + ".image", jpeg);
    if (image.pose) table.transform(kImage + ".pose.transform", *image.pose);
    for (std::size_t i = 0; i < 3; ++i) {
      table.number(kImage + ".velocity.linear_velocity." + kAxes[i], image.velocity[i]);
      table.number(kImage + ".velocity.angular_velocity." + kAxes[i], image.velocity[i + 3]);
    }
    table.number(kImage + ".pose_timestamp", image.poseTimestamp);
    table.number(kImage + ".rolling_shutter_params.shutter", image.shutter);
    table.number(kImage + ".rolling_shutter_params.camera_trigger_time", image.triggerTime);
    table.number(kImage + ".rolling_shutter_params.camera_readout_done_time", image.readoutDoneTime);
    return table.endRow();
  }

  static void flatBox(ParquetTable& table, const std::string& component, const WaymoLabel& label) {
    table.number(component + ".box.center.x", label.centerX);
    table.number(component + ".box.center.y", label.centerY);
    table.number(component + ".box.size.x", label.length);
    table.number(component + ".box.size.y", label.width);
    table.integer(component + ".type", label.type);
  }

  // Both levels are null unless one is set; then the other is 0.
  static void levels(ParquetTable& table, const std::string& component, const WaymoLabel& label) {
    if (label.detectionDifficulty == 0 && label.trackingDifficulty == 0) return;
    table.integer(component + ".difficulty_level.detection", label.detectionDifficulty);
    table.integer(component + ".difficulty_level.tracking", label.trackingDifficulty);
  }

  Status addCameraBox(const WaymoFrame& frame, int camera, const WaymoLabel& label) {
    ParquetTable& table = startRow("camera_box", &frame, camera);
    table.text(kKeyCameraObject, label.id);
    flatBox(table, kCameraBox, label);
    levels(table, kCameraBox, label);
    ROADTUNE_CHECK(table.endRow());
    if (label.laserObjectId.empty()) return {};
    ParquetTable& link = startRow("camera_to_lidar_box_association", &frame, camera);
    link.text(kKeyCameraObject, label.id);
    link.text(kKeyLaserObject, label.laserObjectId);
    return link.endRow();
  }

  Status addProjected(const WaymoFrame& frame, int camera, const WaymoLabel& label) {
    ParquetTable& table = startRow("projected_lidar_box", &frame, camera);
    table.text(kKeyLaserObject, label.id.substr(0, 22));
    flatBox(table, kProjectedBox, label);
    return table.endRow();
  }

  Status addLidar(const WaymoFrame& frame, const WaymoLabel& label) {
    ParquetTable& table = startRow("lidar_box", &frame);
    table.text(kKeyLaserObject, label.id);
    flatBox(table, kLidarBox, label);
    table.number(kLidarBox + ".box.center.z", label.centerZ);
    table.number(kLidarBox + ".box.size.z", label.height);
    table.number(kLidarBox + ".box.heading", label.heading);
    table.integer(kLidarBox + ".num_lidar_points_in_box", label.lidarPoints);
    table.number(kLidarBox + ".speed.x", label.speedX);
    table.number(kLidarBox + ".speed.y", label.speedY);
    table.number(kLidarBox + ".speed.z", 0);
    levels(table, kLidarBox, label);
    return table.endRow();
  }

  Status addStats(const WaymoFrame& frame) {
    ParquetTable& table = startRow("stats", &frame);
    table.text(kStats + ".time_of_day", frame.stats.timeOfDay);
    table.text(kStats + ".location", frame.stats.location);
    table.text(kStats + ".weather", frame.stats.weather);
    const auto counts = [&](const std::string& name, const std::vector<WaymoObjectCount>& objects) {
      std::vector<int> types, numbers;
      for (const auto& entry : objects) {
        types.push_back(entry.type);
        numbers.push_back(entry.count);
      }
      if (types.empty()) return;
      table.integers(kStats + name + ".types", types);
      table.integers(kStats + name + ".counts", numbers);
    };
    counts(".lidar_object_counts", frame.stats.laserCounts);
    counts(".camera_object_counts", frame.stats.cameraCounts);
    return table.endRow();
  }

  Status addCalibration(const WaymoCalibration& calibration) {
    ParquetTable& table = startRow("camera_calibration", nullptr, calibration.camera);
    for (std::size_t i = 0; i < calibration.intrinsic.size(); ++i)
      table.number(kCalibration + ".intrinsic." + kIntrinsicNames[i], calibration.intrinsic[i]);
    if (calibration.extrinsic) table.transform(kCalibration + ".extrinsic.transform", *calibration.extrinsic);
    table.integer(kCalibration + ".width", calibration.width);
    table.integer(kCalibration + ".height", calibration.height);
    table.integer(kCalibration + ".rolling_shutter_direction", calibration.rollingShutter);
    return table.endRow();
  }

  std::filesystem::path m_root;
  WaymoV2WriteOptions m_options;
  std::string m_context;
  bool m_calibrated = false;
  std::map<std::string, std::unique_ptr<ParquetTable>> m_tables;
};

}  // namespace

Result<std::unique_ptr<SynthSink>> makeWaymoV2Sink(const std::filesystem::path& root,
                                                   const WaymoV2WriteOptions& options) {
  if (options.imageRowGroup < 1) return badInput("a row group needs at least one row");
  std::unique_ptr<SynthSink> sink = std::make_unique<WaymoV2Sink>(root, options);
  return sink;
}

}  // namespace roadtune::data
