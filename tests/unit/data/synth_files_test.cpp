// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/data/image/decode.h"
#include "core/data/image/image_header.h"
#include "core/data/records/tfrecord_reader.h"
#include "core/data/records/waymo_v1_reader.h"
#include "core/data/synth/damage.h"
#include "core/data/synth/flat_sinks.h"
#include "core/data/synth/generate.h"
#include "core/data/synth/waymo_v1_sink.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;

class Quiet : public ProgressSink {
 public:
  bool report(const Progress& progress) override {
    last = progress;
    return !stop;
  }
  Progress last;
  bool stop = false;
};

SynthOptions smallOptions() {
  SynthOptions options;
  options.frames = 4;
  options.scale = 0.1;
  options.seed = 3;
  options.jobs = 1;
  return options;
}

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

SynthCounts writeV1(const fs::path& folder, const SynthOptions& options, Corruption corruption = Corruption::None) {
  Quiet quiet;
  const auto counts = generateSynth(options, *makeDamagedSink(makeWaymoV1Sink(folder), folder, corruption), quiet);
  EXPECT_TRUE(counts.ok()) << counts.error().text();
  return counts.value();
}

struct V1File {
  std::vector<WaymoFrame> frames;
  std::vector<RecordProblem> problems;
};

V1File readV1(const fs::path& path) {
  auto reader = TfRecordReader::open(path, TfRecordReader::PayloadCrc::Check).value();
  V1File out;
  while (const auto record = reader.next()) {
    if (!record->payloadOk) continue;
    auto frame = readWaymoFrame(record->payload, record->payloadOffset);
    EXPECT_TRUE(frame.ok()) << frame.error().text();
    if (frame.ok()) out.frames.push_back(std::move(frame.value()));
  }
  out.problems = reader.problems();
  return out;
}

TEST(SynthWaymoV1, filesAreEqualForEqualSeedsWhateverTheThreads) {
  const testing::TempFolder folder;
  SynthOptions options = smallOptions();
  options.segments = 2;
  const auto counts = writeV1(folder / "a", options);
  options.jobs = 3;
  writeV1(folder / "b", options);
  EXPECT_EQ(counts.segments, 2U);
  EXPECT_EQ(counts.images, 2U * 4U * 5U);
  const auto a = filesIn(folder / "a"), b = filesIn(folder / "b");
  ASSERT_EQ(a.size(), 2U);
  ASSERT_EQ(b.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(a[i].filename(), b[i].filename());
    EXPECT_EQ(sha256OfFile(a[i]).value(), sha256OfFile(b[i]).value());
  }
  EXPECT_NE(sha256OfFile(a[0]).value(), sha256OfFile(a[1]).value());
}

TEST(SynthWaymoV1, looksLikeARecording) {
  const testing::TempFolder folder;
  const auto counts = writeV1(folder.path() / "v1", smallOptions());
  const auto files = filesIn(folder / "v1");
  ASSERT_EQ(files.size(), 1U);
  const V1File file = readV1(files[0]);
  EXPECT_TRUE(file.problems.empty());
  ASSERT_EQ(file.frames.size(), 4U);
  const std::string bytes = testing::readAll(files[0]);
  std::uint64_t boxes = 0;
  std::map<std::string, std::set<int>> cameraOfTrack;
  for (std::size_t f = 0; f < 4; ++f) {
    const WaymoFrame& frame = file.frames[f];
    EXPECT_TRUE(isSynthContext(frame.context));
    EXPECT_EQ(files[0].filename().string(), "segment-" + frame.context + "_with_camera_labels.tfrecord");
    if (f > 0) {
      EXPECT_NEAR(static_cast<double>(frame.timestampMicros - file.frames[f - 1].timestampMicros), 1e5, 100);
    }
    std::vector<int> order;
    for (const WaymoImage& image : frame.images) {
      order.push_back(image.camera);
      const auto jpeg = asBytes(std::string_view(bytes).substr(image.offset, image.size));
      const auto header = readJpegHeader(jpeg);
      ASSERT_TRUE(header.ok());
      const auto calibration = std::find_if(frame.calibrations.begin(), frame.calibrations.end(),
                                            [&](const auto& c) { return c.camera == image.camera; });
      ASSERT_NE(calibration, frame.calibrations.end());
      EXPECT_EQ(header.value().width, calibration->width);
      EXPECT_EQ(header.value().height, calibration->height);
      EXPECT_TRUE(decodeImage(jpeg).ok());
      ASSERT_NE(frame.labelsOf(image.camera), nullptr);
      for (const WaymoLabel& label : frame.labelsOf(image.camera)->labels) {
        ++boxes;
        EXPECT_EQ(label.id.size(), 36U);
        cameraOfTrack[label.id].insert(image.camera);
        EXPECT_GE(label.left(), 0);
        EXPECT_GE(label.top(), 0);
        EXPECT_LE(label.right(), calibration->width);
        EXPECT_LE(label.bottom(), calibration->height);
        EXPECT_TRUE(label.type == 1 || label.type == 2 || label.type == 4);
        if (label.type != 2) {
          EXPECT_TRUE(label.laserObjectId.empty());
        }
      }
    }
    EXPECT_EQ(order, (std::vector<int>{1, 2, 4, 3, 5}));
    EXPECT_FALSE(frame.laserLabels.empty());
    for (const WaymoLabel& label : frame.laserLabels) {
      EXPECT_EQ(label.id.size(), 22U);
      EXPECT_GE(label.heading, -3.1415927);
      EXPECT_LT(label.heading, 3.1415927);
    }
    EXPECT_TRUE(frame.pose.has_value());
  }
  EXPECT_EQ(boxes, counts.boxes);
  EXPECT_GT(boxes, 40U);
  for (const auto& [track, cameras] : cameraOfTrack) EXPECT_EQ(cameras.size(), 1U) << track;
  EXPECT_LT(cameraOfTrack.size(), boxes);  // tracks go on from frame to frame
}

TEST(SynthWaymoV1, damageIsWhatWasAskedFor) {
  const testing::TempFolder folder;
  const auto damaged = [&](const char* name) {
    writeV1(folder / name, smallOptions(), *corruptionFromName(name));
    return readV1(filesIn(folder / name).at(0));
  };
  const V1File cut = damaged("truncate");
  EXPECT_EQ(cut.frames.size(), 3U);
  ASSERT_EQ(cut.problems.size(), 1U);
  EXPECT_EQ(cut.problems[0].fault, RecordFault::Truncated);
  const V1File crc = damaged("crc");
  EXPECT_EQ(crc.frames.size(), 3U);
  ASSERT_EQ(crc.problems.size(), 1U);
  EXPECT_EQ(crc.problems[0].fault, RecordFault::PayloadCrc);
  const V1File garbage = damaged("garbage");
  EXPECT_EQ(garbage.frames.size(), 4U);
  ASSERT_EQ(garbage.problems.size(), 1U);
  EXPECT_EQ(garbage.problems[0].fault, RecordFault::LengthCrc);
  const V1File missing = damaged("missing-camera");
  ASSERT_EQ(missing.frames.size(), 4U);
  EXPECT_EQ(missing.frames[0].imageOf(2), nullptr);
  EXPECT_EQ(missing.frames[0].labelsOf(2), nullptr);
  EXPECT_NE(missing.frames[0].imageOf(3), nullptr);
  EXPECT_FALSE(corruptionFromName("rust").has_value());
}

TEST(SynthWaymoV1, drawsOnlyTheWantedCameras) {
  const testing::TempFolder folder;
  SynthOptions options = smallOptions();
  options.cameras = {Camera::SideRight, Camera::Front};
  options.timeOfDay = "Night";
  options.weather = "rain";
  writeV1(folder / "v1", options);
  const V1File file = readV1(filesIn(folder / "v1").at(0));
  ASSERT_EQ(file.frames[0].images.size(), 2U);
  EXPECT_EQ(file.frames[0].images[0].camera, 1);
  EXPECT_EQ(file.frames[0].stats.timeOfDay, "Night");
  EXPECT_EQ(file.frames[0].stats.weather, "rain");
}

TEST(SynthWaymoV1, leavesNoHalfFileWhenStopped) {
  const testing::TempFolder folder;
  Quiet quiet;
  quiet.stop = true;
  const auto counts = generateSynth(smallOptions(), *makeWaymoV1Sink(folder / "v1"), quiet);
  ASSERT_FALSE(counts.ok());
  EXPECT_EQ(counts.error().kind, ErrorKind::Cancelled);
  for (const fs::path& file : filesIn(folder / "v1")) EXPECT_EQ(file.extension(), ".part");
}

TEST(SynthOptions, areCheckedBeforeWork) {
  const testing::TempFolder folder;
  Quiet quiet;
  const auto bad = [&](auto change) {
    SynthOptions options = smallOptions();
    change(options);
    return !generateSynth(options, *makeWaymoV1Sink(folder / "v1"), quiet).ok();
  };
  EXPECT_TRUE(bad([](SynthOptions& o) { o.frames = 0; }));
  EXPECT_TRUE(bad([](SynthOptions& o) { o.segments = -1; }));
  EXPECT_TRUE(bad([](SynthOptions& o) { o.scale = 0; }));
  EXPECT_TRUE(bad([](SynthOptions& o) { o.cameras.clear(); }));
  EXPECT_TRUE(bad([](SynthOptions& o) { o.cameras = {Camera::Rear}; }));
  EXPECT_FALSE(fs::exists(folder / "v1"));
}

TEST(SynthCoco, holdsEveryPictureAndBox) {
  const testing::TempFolder folder;
  Quiet quiet;
  const auto counts = generateSynth(smallOptions(), *makeCocoSink(folder.path()), quiet).value();
  const auto coco = nlohmann::json::parse(testing::readAll(folder / "annotations.json"));
  EXPECT_EQ(coco["images"].size(), counts.images);
  EXPECT_EQ(coco["annotations"].size(), counts.boxes);
  EXPECT_EQ(coco["categories"].size(), 3U);
  EXPECT_EQ(coco["annotations"][0]["id"], 1);
  for (const auto& image : coco["images"]) {
    const std::string bytes = testing::readAll(folder / image["file_name"].get<std::string>());
    const auto header = readJpegHeader(asBytes(bytes)).value();
    EXPECT_EQ(header.width, image["width"]);
    EXPECT_EQ(header.height, image["height"]);
  }
  for (const auto& box : coco["annotations"]) EXPECT_GT(box["bbox"][2].get<double>(), 0);
}

TEST(SynthJsonl, spellsBoxesAsLocationTokens) {
  const testing::TempFolder folder;
  Quiet quiet;
  const auto counts = generateSynth(smallOptions(), *makeJsonlSink(folder.path()), quiet).value();
  std::istringstream lines(testing::readAll(folder / "data.jsonl"));
  std::string line;
  std::uint64_t images = 0, boxes = 0;
  while (std::getline(lines, line)) {
    const auto entry = nlohmann::json::parse(line);
    EXPECT_TRUE(fs::exists(folder / entry["image"].get<std::string>()));
    EXPECT_EQ(entry["prefix"], "detect vehicle ; pedestrian ; cyclist");
    const std::string suffix = entry["suffix"];
    for (std::size_t at = suffix.find("<loc"); at != std::string::npos; at = suffix.find("<loc", at + 1)) {
      EXPECT_EQ(suffix[at + 8], '>');
      ++boxes;
    }
    ++images;
  }
  EXPECT_EQ(images, counts.images);
  EXPECT_EQ(boxes, 4 * counts.boxes);
}

}  // namespace
}  // namespace roadtune::data
