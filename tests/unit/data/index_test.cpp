// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/index.h"

#include "core/data/image/encode.h"
#include "core/data/index/column_file.h"
#include "core/data/index/statistics.h"
#include "core/data/index/thumbnails.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

std::vector<Recording> twoRecordings() {
  Recording b = fakeRecording("b_segment", "validation", "Night");
  b.images = {fakeImage(200, Camera::Front, {fakeBox(kVehicle, 10, 20, 30, 40)}),
              fakeImage(100, Camera::SideLeft, {}, false),
              fakeImage(100, Camera::Front, {fakeBox(kCyclist, 0.6315789, 1.25, 13.9, 22.7, 2, "x")})};
  Recording a = fakeRecording("a_segment", "training");
  a.images = {fakeImage(5, Camera::FrontLeft, {})};
  return {b, a};
}

fs::path onlyFile(const fs::path& folder) { return fs::directory_iterator(folder)->path(); }

void overwrite(const fs::path& file, std::size_t at, char value) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(at));
  stream.put(value);
}

TEST(Index, SortsBySegmentTimestampCamera) {
  const TempFolder folder;
  const auto index = makeIndex(folder, twoRecordings());
  ASSERT_EQ(index->imageCount(), 4u);
  EXPECT_EQ(index->imageLabel(0), "a_segment/5/FRONT_LEFT");
  EXPECT_EQ(index->imageLabel(1), "b_segment/100/FRONT");
  EXPECT_EQ(index->imageLabel(2), "b_segment/100/SIDE_LEFT");
  EXPECT_EQ(index->imageLabel(3), "b_segment/200/FRONT");
}

TEST(Index, KeepsLabelledEmptyApartFromNotLabelled) {
  const TempFolder folder;
  const auto index = makeIndex(folder, twoRecordings());
  EXPECT_TRUE(index->image(0).labelled);
  EXPECT_EQ(index->image(0).boxCount, 0u);
  EXPECT_FALSE(index->image(2).labelled);
}

TEST(Index, BoxesComeBackFinerThanThePixelGridOfTheLabels) {
  const TempFolder folder;
  const auto index = makeIndex(folder, twoRecordings());
  const auto boxes = index->boxes(1);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_NEAR(boxes[0].x, 0.6315789, 1e-6);
  EXPECT_NEAR(boxes[0].w, 13.9, 1e-6);
  EXPECT_NEAR(boxes[0].h, 22.7, 1e-6);
  EXPECT_EQ(boxes[0].type, kCyclist);
  EXPECT_EQ(boxes[0].detectionLevel, 2);
  EXPECT_EQ(boxes[0].id, "x");
}

TEST(Index, NegativeAndHugeCoordinatesGetAGridOfTheirOwn) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {fakeBox(kVehicle, -12.5, -3, 9000.25, 17)})};
  const auto index = makeIndex(folder, {recording});
  const Box box = index->boxes(0).at(0);
  EXPECT_NEAR(box.x, -12.5, 1e-4);
  EXPECT_NEAR(box.y, -3, 1e-4);
  EXPECT_NEAR(box.w, 9000.25, 1e-4);
  EXPECT_NEAR(box.h, 17, 1e-4);
}

TEST(Index, ImpossibleBoxesAreLeftOutAndNamed) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(
      1, Camera::Front,
      {fakeBox(kVehicle, std::nan(""), 0, 1, 1), fakeBox(kVehicle, 1, 1, -4, 2), fakeBox(kVehicle, 1, 1, 4, 2)})};
  const auto index = makeIndex(folder, {recording});
  EXPECT_EQ(index->boxCount(), 1u);
  ASSERT_EQ(index->problems().size(), 1u);
  EXPECT_EQ(index->problems()[0].segment, "s");
}

TEST(Index, FindsImagesAndTheirNeighbours) {
  const TempFolder folder;
  const auto index = makeIndex(folder, twoRecordings());
  EXPECT_EQ(index->find("b_segment", 200, Camera::Front), std::optional<ImageId>(3));
  EXPECT_EQ(index->find("b_segment", 200, Camera::SideLeft), std::nullopt);
  EXPECT_EQ(index->find("nobody", 200, Camera::Front), std::nullopt);
  EXPECT_EQ(index->sameFrame(1), (std::vector<ImageId>{1, 2}));
  EXPECT_EQ(index->neighbour(1, 1), std::optional<ImageId>(3));
  EXPECT_EQ(index->neighbour(3, -1), std::optional<ImageId>(1));
  EXPECT_EQ(index->neighbour(3, 1), std::nullopt);
}

TEST(Index, ImageBytesComeBackUnchanged) {
  const TempFolder folder;
  const auto recordings = twoRecordings();
  const auto index = makeIndex(folder, recordings);
  EXPECT_EQ(index->imageBytes(3).value(), FakeReader::fakeBytes("b_segment", recordings[0].images[0]));
}

TEST(Index, AFlippedByteIsFoundAndNamed) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {fakeBox(kVehicle, 1, 2, 3, 4)})};
  makeIndex(folder, {recording});
  const fs::path file = onlyFile(folder / "index/segments");
  const std::string before = testing::readAll(file);
  int refused = 0;
  for (std::size_t at = 0; at < before.size(); at += 7) {
    overwrite(file, at, static_cast<char>(before[at] ^ 0x40));
    const auto opened = Index::open(folder / "index");
    const bool sound = opened.ok() && opened.value()->verify().ok();
    if (!sound) ++refused;
    if (opened.ok()) {
      for (ImageId i = 0; i < opened.value()->imageCount(); ++i) opened.value()->boxes(i);  // never crashes
    } else {
      EXPECT_NE(opened.error().text().find(".seg"), std::string::npos);
    }
    overwrite(file, at, before[at]);
  }
  EXPECT_GT(refused, static_cast<int>(before.size() / 7 / 4));  // the rest is padding between columns
  EXPECT_TRUE(Index::open(folder / "index").value()->verify().ok());
}

TEST(Index, ATruncatedColumnFileIsRefused) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front, {})};
  makeIndex(folder, {recording});
  const fs::path file = onlyFile(folder / "index/segments");
  for (const std::uintmax_t size : {std::uintmax_t{0}, std::uintmax_t{10}, fs::file_size(file) - 1}) {
    fs::resize_file(file, size);
    EXPECT_FALSE(Index::open(folder / "index").ok());
  }
}

TEST(Index, AFolderThatIsNoIndexIsSaidSo) {
  const TempFolder folder;
  EXPECT_EQ(Index::open(folder.path()).error().kind, ErrorKind::BadInput);
  EXPECT_EQ(Index::open(folder / "nowhere").error().kind, ErrorKind::BadInput);
}

TEST(Statistics, CountWhatIsThere) {
  const TempFolder folder;
  const IndexStatistics s = measureIndex(*makeIndex(folder, twoRecordings()));
  EXPECT_EQ(s.segments, 2u);
  EXPECT_EQ(s.frames, 3u);
  EXPECT_EQ(s.images, 4u);
  EXPECT_EQ(s.boxesPerClass.at("vehicle"), 1u);
  EXPECT_EQ(s.boxesPerClass.at("cyclist"), 1u);
  EXPECT_EQ(s.unlabelled, 1u);
  EXPECT_EQ(s.empty, 1u);
  EXPECT_EQ(s.hard, 1u);
  EXPECT_EQ(s.splits.at("validation"), 3u);
  EXPECT_EQ(s.tinyAt.at(224), 2u);  // 30x40 of 1920x1280 is 3.5x7 at 224
  EXPECT_EQ(s.tinyAt.at(896), 1u);  // 30x40 is 14x28 there, 13.9x22.7 is 6.5x15.9
}

TEST(Thumbnails, AreMadeOnceAndFoundAgain) {
  const TempFolder folder;
  Image picture(960, 640);
  const std::string jpeg = encodeJpeg(picture).value();
  folder.write("p/a.jpg", jpeg);
  Recording recording = fakeRecording("s", "training");
  recording.format = "coco";
  recording.images = {fakeImage(1, Camera::Unknown, {})};
  recording.images[0].file = RecordedImage::kExternal;
  recording.images[0].name = "p/a.jpg";
  const auto index = makeIndex(folder, {recording});
  Thumbnails thumbnails(index);
  EXPECT_FALSE(thumbnails.find(0, ThumbnailSize::Small));
  const auto made = thumbnails.get(0, ThumbnailSize::Small);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(Thumbnails(index).find(0, ThumbnailSize::Small), made.value());  // another reader, from the pack
  EXPECT_FALSE(Thumbnails(index).find(0, ThumbnailSize::Large));
}

}  // namespace
}  // namespace roadtune::data
