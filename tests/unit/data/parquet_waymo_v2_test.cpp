// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/parquet_recordings.h"
#include "core/data/formats/waymo_v2.h"
#include "core/data/formats/waymo_v2_sink.h"
#include "core/data/synth/generate.h"
#include "tests/unit/data/fake_recordings.h"
#include "tests/unit/data/parquet_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace roadtune::data {
namespace {

constexpr std::int64_t kTimes[] = {1550083467346370, 1550083467446375, 1550083467546380};
const std::string kContext = "10023947602400723454_1120_000_1140_000";

WaymoV2Segment segmentOf(const std::string& name) {
  const auto found = findWaymoV2Segments(ParquetFiles::folder() / name);
  EXPECT_EQ(found.size(), 1U) << name;
  return found.empty() ? WaymoV2Segment{} : found.front();
}

class WaymoV2Shapes : public ::testing::TestWithParam<const char*> {};

TEST_P(WaymoV2Shapes, giveTheSameLabelsAndPictures) {
  const WaymoV2Segment segment = segmentOf(GetParam());
  EXPECT_EQ(segment.context, kContext);
  EXPECT_EQ(segment.split, "training");
  const auto result = readWaymoV2Labels(segment);
  ASSERT_TRUE(result.ok()) << result.error().text();
  const WaymoV2Labels& labels = result.value();
  EXPECT_TRUE(labels.labelled);
  EXPECT_TRUE(labels.problems.empty());
  ASSERT_EQ(labels.frames.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(labels.frames[i].timestampMicros, kTimes[i]);
    EXPECT_EQ(labels.frames[i].context, kContext);
    EXPECT_EQ(labels.frames[i].images.size(), 3U);
    EXPECT_EQ(labels.frames[i].stats.timeOfDay, "Night");
  }
  const auto* front = labels.frames[0].labelsOf(1);
  ASSERT_TRUE(front && front->labels.size() == 2);
  EXPECT_EQ(front->labels[0].id, "object-1");
  EXPECT_EQ(front->labels[0].type, 1);
  EXPECT_EQ(front->labels[0].detectionDifficulty, 2);
  EXPECT_NEAR(front->labels[0].centerX, 101.5, 1e-4);
  EXPECT_NEAR(front->labels[0].length, 20.1, 1e-4);
  EXPECT_NEAR(front->labels[0].width, 10.05, 1e-4);
  EXPECT_EQ(front->labels[1].type, 2);
  EXPECT_EQ(front->labels[1].detectionDifficulty, 0);
  ASSERT_NE(labels.frames[2].labelsOf(1), nullptr);  // a picture without boxes is labelled
  EXPECT_TRUE(labels.frames[2].labelsOf(1)->labels.empty());
  EXPECT_EQ(labels.frames[2].labelsOf(4)->labels.at(0).type, 3);
  ASSERT_TRUE(labels.frames[0].imageOf(4)->pose.has_value());
  EXPECT_EQ((*labels.frames[0].imageOf(4)->pose)[7], 7);
  EXPECT_EQ(labels.frames[0].imageOf(4)->velocity[0], 1.5);
  ASSERT_EQ(labels.calibrations.size(), 1U);
  EXPECT_EQ(labels.calibrations[0].camera, 1);
  EXPECT_EQ(labels.calibrations[0].width, 1920);

  int pictures = 0;
  const Status status = forEachWaymoV2Image(segment.components.at("camera_image"), [&](const WaymoV2Image& image) {
    EXPECT_EQ(image.context, kContext);
    EXPECT_EQ(image.timestampMicros, kTimes[pictures / 3]);
    EXPECT_EQ(image.camera, std::vector({1, 4, 2})[static_cast<std::size_t>(pictures % 3)]);
    const std::string text(image.jpeg.begin(), image.jpeg.end());
    EXPECT_NE(text.find(std::to_string(image.timestampMicros) + ":" + std::to_string(image.camera)), std::string::npos);
    ++pictures;
    return true;
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(pictures, 9);
}

INSTANTIATE_TEST_SUITE_P(Files, WaymoV2Shapes,
                         ::testing::Values("codec_none", "codec_snappy", "codec_brotli", "codec_zstd", "codec_gzip",
                                           "strings", "rowgroup1", "pagev2"));

TEST(WaymoV2, withoutABoxFileNothingIsLabelled) {
  const auto labels = readWaymoV2Labels(segmentOf("noboxes")).value();
  EXPECT_FALSE(labels.labelled);
  EXPECT_TRUE(labels.problems.empty());
  EXPECT_EQ(labels.frames.at(0).labelsOf(1), nullptr);
  EXPECT_EQ(labels.frames.size(), 3U);
}

TEST(WaymoV2, goesOnWithoutStatsAndCalibration) {
  const auto labels = readWaymoV2Labels(segmentOf("nostats")).value();
  EXPECT_TRUE(labels.labelled);
  EXPECT_TRUE(labels.calibrations.empty());
  EXPECT_EQ(labels.frames.at(0).stats.timeOfDay, "");
}

TEST(WaymoV2, namesAnUnreadableComponentAndLeavesItOut) {
  for (const char* name : {"brokenboxes", "wrongboxes", "noaxis"}) {
    const auto labels = readWaymoV2Labels(segmentOf(name)).value();
    EXPECT_FALSE(labels.labelled) << name;
    ASSERT_EQ(labels.problems.size(), 1U) << name;
    EXPECT_NE(labels.problems[0].find("camera_box"), std::string::npos);
    EXPECT_EQ(labels.frames.size(), 3U);
  }
}

// What an import says of a segment, and the index that it makes.
struct Imported {
  explicit Imported(const std::string& name) {
    ImportRequest request;
    request.sources = {ParquetFiles::folder() / name};
    request.out = folder / "index";
    request.onProblem = [this](const Problem& problem) { problems.push_back(problem.line()); };
    QuietProgress quiet;
    EXPECT_TRUE(importInto(request, allReaders(), quiet).ok());
    index = Index::open(folder / "index").value();
  }
  bool says(const std::string& what) const {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const std::string& line) { return line.find(what) != std::string::npos; });
  }
  testing::TempFolder folder;
  std::vector<std::string> problems;
  std::shared_ptr<const Index> index;
};

TEST(WaymoV2, aBoxWithoutACoordinateIsLeftOut) {
  const Imported made("nullbox");
  EXPECT_EQ(made.index->boxCount(), 3U);
  EXPECT_TRUE(made.says("1 box with impossible coordinates"));
}

TEST(WaymoV2, numbersInOtherTypesAreRead) {
  const Imported texts("texttimes");
  EXPECT_EQ(texts.index->boxCount(), 4U);
  const Imported halves("halves");
  EXPECT_EQ(halves.index->boxCount(), 4U);
  EXPECT_NEAR(halves.index->boxes(0)[0].w, 20.1, 0.02);
}

TEST(WaymoV2, boxesThatBelongNowhereDoNotMakePicturesEmpty) {
  const Imported words("wordtimes");
  EXPECT_TRUE(words.says("4 rows have no number for 'key.frame_timestamp_micros'"));
  const Imported later("latertimes");
  EXPECT_TRUE(later.says("4 boxes are of no picture that is there; the pictures count as not labelled"));
  const Imported one("onetime");
  EXPECT_EQ(one.index->boxCount(), 3U);
  EXPECT_TRUE(one.index->image(0).labelled) << "one row says nothing of the others";
  EXPECT_TRUE(one.says("1 row has no number for 'key.frame_timestamp_micros'; left out"));
  for (const auto* made : {&words, &later}) {
    EXPECT_EQ(made->index->boxCount(), 0U);
    for (ImageId image = 0; image < made->index->imageCount(); ++image)
      EXPECT_FALSE(made->index->image(image).labelled);
  }
}

TEST(WaymoV2, whatNamesNoCameraIsLeftOutAndTold) {
  const Imported made("nocamera");
  EXPECT_EQ(made.index->imageCount(), 7U);
  EXPECT_EQ(made.index->boxCount(), 1U) << "of three with a camera one has lost its picture";
  EXPECT_TRUE(made.says("2 pictures of no camera that is known"));
  EXPECT_TRUE(made.says("2 boxes of no camera that is known"));
}

TEST(WaymoV2, aDamagedPictureFileIsAnError) {
  const auto segment = segmentOf("damagedimages");
  const Status status = forEachWaymoV2Image(segment.components.at("camera_image"), [](const auto&) { return true; });
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().where.find(".parquet"), std::string::npos);
  EXPECT_EQ(readWaymoV2Labels(segment).value().problems.size(), 1U);
  EXPECT_FALSE(forEachWaymoV2Image("absent.parquet", [](const auto&) { return true; }).ok());
}

TEST(WaymoV2, isFoundFromTheRootTheSplitAndAbove) {
  const auto root = ParquetFiles::folder() / "codec_none";
  EXPECT_EQ(findWaymoV2Segments(root / "training").size(), 1U);
  EXPECT_EQ(findWaymoV2Segments(root / "training").front().split, "training");
  EXPECT_EQ(findWaymoV2Segments(root / "training" / "").front().split, "training");
  EXPECT_GT(findWaymoV2Segments(ParquetFiles::folder()).size(), 5U);
  EXPECT_TRUE(findWaymoV2Segments(root / "training" / "camera_box").empty());
  EXPECT_TRUE(findWaymoV2Segments(root / "absent").empty());
}

TEST(WaymoV2, splitsAreNamedAsThoseOfRecordings) {
  const testing::TempFolder folder;
  const auto splits = [&](const std::string& source) {
    std::set<std::string> found;
    for (const auto& segment : findWaymoV2Segments(folder / source)) found.insert(segment.split);
    return found;
  };
  using Splits = std::set<std::string>;
  for (const char* split : {"train", "val", "test_0001", "night"})
    folder.write(std::string("v2/") + split + "/camera_image/1_2.parquet", "x");
  folder.write("flat/camera_image/1_2.parquet", "x");
  folder.write("flat/camera_image/validation_3.parquet", "x");
  EXPECT_EQ(splits("v2"), (Splits{"training", "validation", "testing", "night"}));
  EXPECT_EQ(splits("v2/val"), Splits{"validation"});
  EXPECT_EQ(splits("v2/night"), Splits{""}) << "--split counts";
  EXPECT_EQ(splits("flat/"), (Splits{"", "validation"}));
}

// Keeps what the generator made.
class Keeper : public SynthSink {
 public:
  Status beginSegment(const std::string&) override { return {}; }
  Status add(const SynthFrame& frame) override {
    frames.push_back(frame);
    return {};
  }
  Status endSegment() override { return {}; }
  Status finish() override { return {}; }
  std::vector<SynthFrame> frames;
};

class Quiet : public ProgressSink {
 public:
  bool report(const Progress&) override { return true; }
};

TEST(WaymoV2Sink, writesWhatTheReaderReads) {
  const testing::TempFolder folder;
  SynthOptions options;
  options.frames = 3;
  options.scale = 0.1;
  options.jobs = 1;
  Quiet quiet;
  Keeper keeper;
  ASSERT_TRUE(generateSynth(options, keeper, quiet).ok());
  for (const char* codec : {"brotli", "none"}) {
    const auto root = folder.path() / codec;
    const auto sink = makeWaymoV2Sink(root, {.split = "validation", .codec = codec, .imageRowGroup = 4}).value();
    ASSERT_TRUE(generateSynth(options, *sink, quiet).ok());
    const auto segments = findWaymoV2Segments(root);
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_EQ(segments[0].split, "validation");
    EXPECT_EQ(segments[0].components.size(), 8U);
    const auto labels = readWaymoV2Labels(segments[0]).value();
    EXPECT_TRUE(labels.problems.empty());
    ASSERT_EQ(labels.frames.size(), 3U);
    for (std::size_t f = 0; f < 3; ++f) {
      const WaymoFrame &made = keeper.frames[f].frame, &read = labels.frames[f];
      EXPECT_EQ(read.timestampMicros, made.timestampMicros);
      EXPECT_EQ(read.pose, made.pose);
      EXPECT_EQ(read.laserLabels.size(), made.laserLabels.size());
      for (const auto& entry : made.cameraLabels) {
        ASSERT_NE(read.labelsOf(entry.camera), nullptr);
        const auto& back = read.labelsOf(entry.camera)->labels;
        ASSERT_EQ(back.size(), entry.labels.size());
        for (std::size_t i = 0; i < back.size(); ++i) {
          EXPECT_EQ(back[i].id, entry.labels[i].id);
          EXPECT_EQ(back[i].left(), entry.labels[i].left());
          EXPECT_EQ(back[i].bottom(), entry.labels[i].bottom());
          EXPECT_EQ(back[i].detectionDifficulty, entry.labels[i].detectionDifficulty);
          EXPECT_EQ(back[i].laserObjectId, entry.labels[i].laserObjectId);
        }
      }
    }
    std::size_t picture = 0;
    ASSERT_TRUE(forEachWaymoV2Image(segments[0].components.at("camera_image"), [&](const WaymoV2Image& image) {
                  const SynthFrame& made = keeper.frames[picture / 5];
                  EXPECT_EQ(std::string(image.jpeg.begin(), image.jpeg.end()), made.jpegs[picture % 5]);
                  EXPECT_EQ(image.camera, made.frame.images[picture % 5].camera);
                  ++picture;
                  return true;
                }).ok());
    EXPECT_EQ(picture, 15U);
  }
  EXPECT_FALSE(makeWaymoV2Sink(folder.path(), {.imageRowGroup = 0}).ok());
  const auto odd = makeWaymoV2Sink(folder.path() / "odd", {.codec = "lzma"}).value();
  EXPECT_FALSE(generateSynth(options, *odd, quiet).ok());
}

}  // namespace
}  // namespace roadtune::data
