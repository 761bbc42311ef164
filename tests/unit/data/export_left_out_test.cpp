// SPDX-License-Identifier: GPL-3.0-or-later
// What an export leaves out is counted, so that somebody can be told.
#include "core/data/export/export.h"
#include "core/data/source/sources.h"
#include "tests/support/program.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <numeric>

namespace roadtune::data {
namespace {

using nlohmann::json;

class ExportLeavesOut : public ::testing::Test {
 protected:
  ExportOutcome write(std::vector<RecordedImage> images, ExportFormat format, const std::string& out = "out") {
    Recording recording = fakeRecording("s", "training");
    recording.images = std::move(images);
    index = makeIndex(folder, {std::move(recording)});
    std::vector<ImageId> all(index->imageCount());
    std::iota(all.begin(), all.end(), 0u);
    QuietProgress progress;
    std::filesystem::remove_all(folder / out);
    const auto outcome = exportImages(*index, all, {.format = format, .out = folder / out}, progress);
    EXPECT_TRUE(outcome.ok()) << outcome.error().text();
    return outcome.ok() ? outcome.value() : ExportOutcome{};
  }
  std::string text(const std::string& name) const { return testing::readAll(folder / name); }

  testing::TempFolder folder;
  std::shared_ptr<const Index> index;
};

std::vector<RecordedImage> oneDamaged() {
  std::vector<RecordedImage> images;
  for (const std::int64_t time : {1, 2, 3})
    images.push_back(fakeImage(time, Camera::Front, {fakeBox(kVehicle, 10, 20, 30, 40)}));
  images[1].corrupt = true;
  return images;
}

TEST_F(ExportLeavesOut, DamagedPicturesFromWhatModelsLearnFrom) {
  for (const ExportFormat format :
       {ExportFormat::Yolo, ExportFormat::Kitti, ExportFormat::Voc, ExportFormat::PaliGemma}) {
    const ExportOutcome outcome = write(oneDamaged(), format);
    EXPECT_EQ(outcome.images, 2u);
    EXPECT_EQ(outcome.boxes, 2u);
    EXPECT_EQ(outcome.damagedPictures, 1u);
    EXPECT_TRUE(outcome.damagedLeftOut);
    EXPECT_EQ(outcome.damaged, std::vector<std::string>{index->imageLabel(1)});
  }
  EXPECT_EQ(text("out").find("s_2_FRONT"), std::string::npos);
  for (const ExportFormat format : {ExportFormat::Jsonl, ExportFormat::Coco, ExportFormat::WaymoObjects}) {
    const ExportOutcome outcome = write(oneDamaged(), format);
    EXPECT_EQ(outcome.images, 3u) << "listings of all images, of all labelled ones, and of labels alone";
    EXPECT_EQ(outcome.damagedPictures, 0u);
  }
}

TEST_F(ExportLeavesOut, PredictionsAreNumberedAsTheCocoExport) {
  write(oneDamaged(), ExportFormat::Coco, "gt.json");
  const auto source = openIndexSource(index, "", {.classes = {"vehicle"}});
  ASSERT_TRUE(source.ok()) << source.error().text();
  std::map<std::string, std::int64_t> numbers;
  for (std::size_t i = 0; i < source.value()->size(); ++i)
    numbers[source.value()->text(i).value().id] = std::get<std::int64_t>(source.value()->imageId(i));
  for (const json& image : json::parse(text("gt.json"))["images"])
    EXPECT_EQ(numbers["s/" + std::to_string(image["timestamp_micros"].get<int>()) + "/FRONT"], image["id"]);
}

TEST_F(ExportLeavesOut, BoxesOfWhichNothingShows) {
  for (const ExportFormat format : {ExportFormat::PaliGemma, ExportFormat::Yolo}) {
    const ExportOutcome outcome =
        write({fakeImage(1, Camera::Front, {fakeBox(kVehicle, 10, 20, 0, 40)}),
               fakeImage(2, Camera::Front, {fakeBox(kVehicle, 10, 20, 30, 40), fakeBox(kVehicle, 5000, 20, 30, 40)})},
              format);
    EXPECT_EQ(outcome.images, 2u);
    EXPECT_EQ(outcome.boxes, 1u);
    EXPECT_EQ(outcome.boxesWithoutArea, 2u);
  }
}

TEST_F(ExportLeavesOut, NoBoxThatAnAnswerHolds) {
  std::vector<RecordedImage> images = {fakeImage(1, Camera::Front, {fakeBox(kFirstOwnClass, 10, 20, 30, 40)}),
                                       fakeImage(2, Camera::Front, {})};
  images[0].prefix = "detect dog";
  images[0].suffix = "<loc0001><loc0002><loc0003><loc0004> dog ; <loc0001><loc0002><loc0003><loc0004> dog";
  images[1].prefix = "how many?";
  images[1].suffix = "none";
  const ExportOutcome outcome = write(images, ExportFormat::PaliGemma);
  EXPECT_EQ(outcome.boxes, 2u);
  EXPECT_TRUE(outcome.otherClasses.empty()) << "nothing was left out";
}

}  // namespace
}  // namespace roadtune::data
