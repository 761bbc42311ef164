// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/image.h"
#include "core/data/records/waymo_v1_reader.h"
#include "core/data/records/waymo_v1_writer.h"
#include "core/data/records/wire_writer.h"

#include <gtest/gtest.h>

#include <cstring>

namespace roadtune::data {
namespace {

WaymoLabel box(const std::string& id, int type, double x, double y, double w, double h) {
  WaymoLabel label;
  label.id = id;
  label.type = type;
  label.centerX = x;
  label.centerY = y;
  label.length = w;
  label.width = h;
  return label;
}

WaymoFrame sample() {
  WaymoFrame frame;
  frame.context = "10023947602400723454_1120_000_1140_000";
  frame.timestampMicros = 1550083467346370;
  frame.pose = Transform{1, 0, 0, 15000.5, 0, 1, 0, -3, 0, 0, 1, 2, 0, 0, 0, 1};
  frame.stats = {"Dawn/Dusk", "location_sf", "rain", {{1, 7}, {3, 2}}, {{2, 4}}};
  WaymoCalibration calibration;
  calibration.camera = 1;
  calibration.intrinsic = {2055, 2055, 960, 640, 0.03, -0.3, 0.001, 0.002, 0};
  calibration.extrinsic = frame.pose;
  calibration.width = 1920;
  calibration.height = 1280;
  calibration.rollingShutter = 2;
  frame.calibrations.push_back(calibration);
  WaymoImage front;
  front.camera = 1;
  front.pose = frame.pose;
  front.velocity = {1.5, -2, 0.25, 0.1, 0.2, 0.3};
  front.poseTimestamp = 1550083467.39;
  front.shutter = 0.003;
  WaymoImage rear;
  rear.camera = 7;
  frame.images = {front, rear};
  WaymoLabel hard = box("b", 4, 50, 60, 20, 30);
  hard.detectionDifficulty = 2;
  WaymoLabel walker = box("c", 2, 5, 6, 7, 8);
  walker.laserObjectId = "laser-id";
  frame.cameraLabels = {{1, {box("a", 1, 100.5, 200.25, 40, 30), hard, walker}}, {2, {}}};
  WaymoLabel solid = box("solid", 1, 10, 20, 4.5, 1.9);
  solid.centerZ = 0.8;
  solid.height = 1.6;
  solid.heading = -1.5;
  solid.lidarPoints = 77;
  solid.speedX = 3;
  solid.mostVisibleCamera = "FRONT";
  frame.laserLabels = {solid};
  frame.projectedLabels = {{1, {box("solid_FRONT", 3, 1, 2, 3, 4)}}};
  return frame;
}

std::string serialised(const WaymoFrame& frame) {
  return writeWaymoFrame(frame, [](const WaymoImage& image) -> std::string_view {
    return image.camera == 1 ? "JPEG-front" : "JPEG-rear";
  });
}

TEST(WaymoFrame, comesBackAsItWasWritten) {
  const WaymoFrame frame = sample();
  const std::string bytes = serialised(frame);
  const auto result = readWaymoFrame(asBytes(bytes), 5000);
  ASSERT_TRUE(result.ok()) << result.error().text();
  const WaymoFrame& back = result.value();
  EXPECT_EQ(back.context, frame.context);
  EXPECT_EQ(back.timestampMicros, frame.timestampMicros);
  EXPECT_EQ(back.pose, frame.pose);
  EXPECT_EQ(back.stats.timeOfDay, "Dawn/Dusk");
  EXPECT_EQ(back.stats.location, "location_sf");
  EXPECT_EQ(back.stats.weather, "rain");
  EXPECT_EQ(back.stats.laserCounts.size(), 2U);
  EXPECT_EQ(back.stats.cameraCounts.at(0).count, 4);
  ASSERT_EQ(back.calibrations.size(), 1U);
  EXPECT_EQ(back.calibrations[0].intrinsic, frame.calibrations[0].intrinsic);
  EXPECT_EQ(back.calibrations[0].extrinsic, frame.pose);
  EXPECT_EQ(back.calibrations[0].width, 1920);
  ASSERT_EQ(back.images.size(), 2U);
  EXPECT_EQ(back.images[0].velocity[2], 0.25);
  EXPECT_EQ(back.images[0].poseTimestamp, 1550083467.39);
  EXPECT_EQ(bytes.substr(back.images[0].offset - 5000, back.images[0].size), "JPEG-front");
  EXPECT_EQ(bytes.substr(back.images[1].offset - 5000, back.images[1].size), "JPEG-rear");
  EXPECT_EQ(back.images[1].camera, 7);
  EXPECT_FALSE(isIndexedCamera(back.images[1].camera));
}

TEST(WaymoFrame, keepsLabelledButEmptyApartFromNotLabelled) {
  const auto back = readWaymoFrame(asBytes(serialised(sample()))).value();
  ASSERT_NE(back.labelsOf(2), nullptr);
  EXPECT_TRUE(back.labelsOf(2)->labels.empty());
  EXPECT_EQ(back.labelsOf(3), nullptr);
}

TEST(WaymoFrame, readsLabelsWithLengthAlongXAndWidthAlongY) {
  const std::string bytes = serialised(sample());
  const auto back = readWaymoFrame(asBytes(bytes)).value();
  const auto& labels = back.labelsOf(1)->labels;
  ASSERT_EQ(labels.size(), 3U);
  EXPECT_EQ(labels[0].left(), 80.5);
  EXPECT_EQ(labels[0].right(), 120.5);
  EXPECT_EQ(labels[0].top(), 185.25);
  EXPECT_EQ(labels[0].bottom(), 215.25);
  EXPECT_EQ(labels[0].detectionDifficulty, 0);
  EXPECT_EQ(cameraBoxLevel(labels[0].detectionDifficulty), 1);
  EXPECT_EQ(cameraBoxLevel(labels[1].detectionDifficulty), 2);
  EXPECT_EQ(labels[1].type, 4);
  EXPECT_EQ(labels[2].laserObjectId, "laser-id");
  ASSERT_EQ(back.laserLabels.size(), 1U);
  const WaymoLabel& solid = back.laserLabels[0];
  EXPECT_EQ(solid.length, 4.5);
  EXPECT_EQ(solid.width, 1.9);
  EXPECT_EQ(solid.height, 1.6);
  EXPECT_EQ(solid.heading, -1.5);
  EXPECT_EQ(solid.lidarPoints, 77);
  EXPECT_EQ(solid.speedX, 3);
  EXPECT_EQ(solid.mostVisibleCamera, "FRONT");
  EXPECT_EQ(back.projectedLabels.at(0).labels.at(0).id, "solid_FRONT");
}

TEST(WaymoFrame, acceptsPackedDoublesUnknownFieldsAndSplitMessages) {
  std::string packed(16 * sizeof(double), '\0');
  for (std::size_t i = 0; i < 16; ++i) {
    const double value = static_cast<double>(i);
    std::memcpy(packed.data() + i * sizeof value, &value, sizeof value);
  }
  WireWriter transform;
  transform.bytes(1, packed);
  WireWriter calibration;
  calibration.varint(1, 3);
  calibration.bytes(2, packed.substr(0, 9 * sizeof(double)));
  WireWriter context;
  context.varint(99, 5);
  context.message(2, calibration);
  WireWriter name;
  name.bytes(1, "split_context");
  WireWriter first, second;
  first.varint(1, 4);
  first.message(2, WireWriter());
  second.varint(1, 4);
  second.message(2, WireWriter());
  WireWriter frame;
  frame.message(1, context);
  frame.message(3, transform);
  frame.bytes(77, "of the future");
  frame.message(8, first);
  frame.message(1, name);
  frame.message(8, second);
  const auto result = readWaymoFrame(asBytes(frame.data()));
  ASSERT_TRUE(result.ok()) << result.error().text();
  EXPECT_EQ(result.value().context, "split_context");
  ASSERT_TRUE(result.value().pose.has_value());
  EXPECT_EQ((*result.value().pose)[15], 15);
  EXPECT_EQ(result.value().calibrations.at(0).intrinsic[8], 8);
  ASSERT_EQ(result.value().cameraLabels.size(), 1U);
  EXPECT_EQ(result.value().cameraLabels[0].labels.size(), 2U);
}

TEST(WaymoFrame, stepsOverLidarAndSaysWhereItLies) {
  WireWriter context;
  context.bytes(1, "c");
  WireWriter frame;
  frame.message(1, context);
  frame.bytes(5, std::string(1000, '\xff'));
  frame.bytes(5, std::string(500, '\xff'));
  const auto back = readWaymoFrame(asBytes(frame.data()), 100).value();
  EXPECT_EQ(back.lidarBytes, 1500U);
  EXPECT_EQ(back.lidarEnd, 100 + frame.data().size());
  EXPECT_EQ(back.lidarEnd - back.lidarOffset, 1500U + 3U);
}

TEST(WaymoFrame, survivesEveryTruncationAndEveryFlippedByte) {
  const std::string bytes = serialised(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    (void)readWaymoFrame(asBytes(std::string_view(bytes).substr(0, size))).ok();
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      const auto result = readWaymoFrame(asBytes(damaged));
      if (!result.ok()) continue;
      for (const auto& image : result.value().images) EXPECT_LE(image.offset + image.size, bytes.size());
    }
}

TEST(WaymoFrame, refusesWhatIsNoFrame) {
  EXPECT_NE(readWaymoFrame(asBytes("hello, this is text"), 40).error().text().find("offset 4"), std::string::npos);
  EXPECT_NE(readWaymoFrame({}).error().what.find("no context name"), std::string::npos);
}

TEST(WaymoTypes, mapNumbersAndNames) {
  EXPECT_EQ(cameraName(Camera::SideRight), "SIDE_RIGHT");
  EXPECT_EQ(cameraName(static_cast<Camera>(42)), "UNKNOWN");
  EXPECT_EQ(cameraFromName("front-left"), Camera::FrontLeft);
  EXPECT_FALSE(cameraFromName("top").has_value());
  EXPECT_EQ(labelTypeName(LabelType::Sign), "sign");
  EXPECT_EQ(labelTypeName(static_cast<LabelType>(9)), "unknown");
  EXPECT_EQ(labelTypeFromName("Cyclist"), LabelType::Cyclist);
  EXPECT_EQ(static_cast<int>(LabelType::Pedestrian), 2);
  EXPECT_TRUE(isSynthContext("roadtune_synth_1_2"));
  EXPECT_FALSE(isSynthContext("10023947602400723454_1120_000_1140_000"));
}

TEST(WaymoWords, ASegmentIsReadFromThePicturesThatExportsName) {
  EXPECT_EQ(segmentOfPicture("images/1005_5313_150_with_labels_1557843345612667_FRONT_LEFT.jpg"),
            "1005_5313_150_with_labels");
  EXPECT_EQ(segmentOfPicture("night_1557843345612667_FRONT.png"), "night");
  for (const char* other : {"", "a.jpg", "000123_FRONT.jpg", "FRONT.jpg", "_1557843345612667", "x_12_FRONT.jpg"})
    EXPECT_EQ(segmentOfPicture(other), "") << other;
}

}  // namespace
}  // namespace roadtune::data
