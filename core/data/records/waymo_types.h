// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// Numbers as in the files of the Waymo Open Dataset. 6-8 occur in other recordings; they are no images of an index.
enum class Camera : int {
  Unknown = 0,
  Front = 1,
  FrontLeft = 2,
  FrontRight = 3,
  SideLeft = 4,
  SideRight = 5,
  RearLeft = 6,
  Rear = 7,
  RearRight = 8,
};
inline constexpr std::array kIndexedCameras = {Camera::Front, Camera::FrontLeft, Camera::FrontRight, Camera::SideLeft,
                                               Camera::SideRight};

// Label.Type: the five values of boxes, not the 29 classes of the segmentation.
enum class LabelType : int { Unknown = 0, Vehicle = 1, Pedestrian = 2, Sign = 3, Cyclist = 4 };
inline constexpr int kLabelTypes = 5;

std::string_view cameraName(Camera camera);  // "FRONT"; "UNKNOWN" for 0 and foreign numbers
// The segment in a picture's name as exports give it, "SEGMENT_TIME_CAMERA.jpg"; empty: it has none.
std::string_view segmentOfPicture(std::string_view name);
std::optional<Camera> cameraFromName(std::string_view name);  // any case, '-' or '_': "front_left"
std::string_view labelTypeName(LabelType type);               // "vehicle"; "unknown" for foreign numbers
std::optional<LabelType> labelTypeFromName(std::string_view name);
inline bool isIndexedCamera(int camera) { return camera >= 1 && camera <= 5; }

// Difficulty of a 2D box: only human-flagged hard boxes say 2; 0 and absent mean LEVEL_1.
inline int cameraBoxLevel(int stored) { return stored == 2 ? 2 : 1; }

using Transform = std::array<double, 16>;  // row-major 4x4

// A context made by the generator of core/data/synth: its name starts with this. Such files need no acknowledgement
// of a licence.
inline constexpr std::string_view kSynthContextPrefix = "roadtune_synth_";
inline bool isSynthContext(std::string_view context) { return context.starts_with(kSynthContextPrefix); }

// One label. 2D (camera) boxes use centerX/centerY, length along image x and width along image y, in pixels with 0 at
// the left (top) edge of the first pixel; 3D (laser) boxes use all seven in metres, vehicle frame.
struct WaymoLabel {
  std::string id;
  int type = 0;  // LabelType, or a foreign number as it was stored
  double centerX = 0, centerY = 0, centerZ = 0;
  double length = 0, width = 0, height = 0, heading = 0;
  int detectionDifficulty = 0;  // 0 not set, 1, 2
  int trackingDifficulty = 0;
  int lidarPoints = -1;  // -1: not stored
  double speedX = 0, speedY = 0;
  std::string mostVisibleCamera;  // laser labels: "FRONT"
  std::string laserObjectId;      // camera labels of pedestrians: the matching laser label

  double left() const { return centerX - length / 2; }
  double top() const { return centerY - width / 2; }
  double right() const { return centerX + length / 2; }
  double bottom() const { return centerY + width / 2; }
};

// The labels of one camera in one frame. An entry without labels says "labelled, nothing there"; no entry at all says
// "not labelled".
struct WaymoCameraLabels {
  int camera = 0;
  std::vector<WaymoLabel> labels;
};

// One picture; its JPEG bytes stay where they are.
struct WaymoImage {
  int camera = 0;
  std::uint64_t offset = 0;          // of the JPEG in the file
  std::uint64_t size = 0;            // 0: the field is there without bytes, or missing
  std::optional<Transform> pose;     // vehicle -> global at poseTimestamp
  std::array<double, 6> velocity{};  // v_x, v_y, v_z (m/s, global), w_x, w_y, w_z (rad/s)
  double poseTimestamp = 0, shutter = 0, triggerTime = 0, readoutDoneTime = 0;  // seconds
};

struct WaymoCalibration {
  int camera = 0;
  std::array<double, 9> intrinsic{};   // f_u f_v c_u c_v k1 k2 p1 p2 k3
  std::optional<Transform> extrinsic;  // camera -> vehicle; camera x forward, y left, z up
  int width = 0, height = 0;
  int rollingShutter = 0;
};

struct WaymoObjectCount {
  int type = 0;
  int count = 0;
};

struct WaymoStats {
  std::string timeOfDay;  // "Day", "Dawn/Dusk", "Night"
  std::string location;   // "location_sf", ...
  std::string weather;    // "sunny", "rain"
  std::vector<WaymoObjectCount> laserCounts, cameraCounts;
};

// One frame without its lidar.
struct WaymoFrame {
  std::string context;  // the authority for the segment's name
  std::int64_t timestampMicros = 0;
  std::optional<Transform> pose;  // vehicle -> global
  WaymoStats stats;
  std::vector<WaymoCalibration> calibrations;
  std::vector<WaymoImage> images;  // in file order, which is not the order of the numbers
  std::vector<WaymoCameraLabels> cameraLabels;
  std::vector<WaymoCameraLabels> projectedLabels;
  std::vector<WaymoLabel> laserLabels;
  std::uint64_t lidarBytes = 0;                 // size of what was stepped over
  std::uint64_t lidarOffset = 0, lidarEnd = 0;  // in the file; equal when there is none

  const WaymoCameraLabels* labelsOf(int camera) const;  // null: not labelled
  const WaymoImage* imageOf(int camera) const;
};

}  // namespace roadtune::data
