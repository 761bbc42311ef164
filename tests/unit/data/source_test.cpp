// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/eval/prediction_set.h"
#include "core/data/image/encode.h"
#include "core/data/source/sample_source.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

#include <set>

namespace roadtune::data {
namespace {

using testing::TempFolder;

std::vector<Recording> street() {
  Recording recording = fakeRecording("s", "training");
  recording.images = {fakeImage(1, Camera::Front,
                                {fakeBox(kVehicle, 0, 0, 960, 640), fakeBox(kPedestrian, 1919, 0, 1, 1280),
                                 fakeBox(kSign, 1, 1, 5, 5), fakeBox(kCyclist, 100, 100, 3, 90)}),
                      fakeImage(2, Camera::Front, {}), fakeImage(3, Camera::Front, {}, false)};
  return {recording};
}

TEST(IndexSource, WritesTheDetectionTextOfItsImages) {
  const TempFolder folder;
  makeIndex(folder, street());
  TaskTemplate task;
  task.order = BoxOrder::Stored;
  const auto source = openSource({.path = (folder / "index").string()}, task).value();
  ASSERT_EQ(source->size(), 2u);  // the one that nobody labelled says nothing
  const Sample sample = source->get(0).value();
  EXPECT_EQ(sample.id, "s/1/FRONT");
  EXPECT_EQ(sample.prefix, "detect vehicle ; pedestrian ; cyclist");
  EXPECT_EQ(sample.suffix,
            "<loc0000><loc0000><loc0512><loc0512> vehicle ; <loc0000><loc1022><loc1023><loc1023> pedestrian ; "
            "<loc0080><loc0053><loc0152><loc0055> cyclist");
  EXPECT_EQ(sample.boxes.size(), 3u);
  EXPECT_EQ(sample.image, "picture of s 1FRONT");
  EXPECT_EQ(source->get(1).value().suffix, "");
}

TEST(IndexSource, GivesImagesThatNobodyLabelledToWhoeverPredicts) {
  const TempFolder folder;
  std::vector<Recording> recordings = street();
  std::swap(recordings[0].images[1].timestamp, recordings[0].images[2].timestamp);  // the unlabelled one in the middle
  makeIndex(folder, recordings);
  TaskTemplate task;
  const std::string path = folder / "index";
  const auto labelled = openSource({.path = path}, task).value();
  ASSERT_EQ(labelled->size(), 2u);
  EXPECT_EQ(labelled->imageId(1), CocoImageId(2)) << "exports leave out the one between";
  task.unlabelled = true;
  const auto all = openSource({.path = path}, task).value();
  ASSERT_EQ(all->size(), 3u);
  EXPECT_EQ(all->text(1).value().id, "s/2/FRONT");
  EXPECT_EQ(all->text(1).value().prefix, "detect vehicle ; pedestrian ; cyclist");
  EXPECT_EQ(all->imageId(1), CocoImageId(3)) << "after all that exports number";
  EXPECT_EQ(all->imageId(2), CocoImageId(2));
  EXPECT_EQ(openSource({.path = path, .query = "not labelled"}, task).value()->size(), 1u);
  task.unlabelled = task.includeEmpty = false;
  const auto boxed = openSource({.path = path, .query = "sort by timestamp desc"}, task).value();
  ASSERT_EQ(boxed->size(), 1u);
  EXPECT_EQ(boxed->imageId(0), CocoImageId(2)) << "the empty one before it has a number, too";
}

// Results may carry the numbers of the COCO file that was predicted; each names its class besides.
TEST(Predictions, AreOfTheClassTheyNameWhateverItsNumber) {
  const TempFolder folder;
  const auto index = makeIndex(folder, street());
  const auto hits = [&](const std::string& more) {
    const auto file = folder.write("results.json", R"([{"image_id":901,"image":"s/1/FRONT","bbox":[0,0,960,640],)"
                                                   R"("score":0.9,"category_id":2)" +
                                                       more + "}]");
    return PredictionSet::read(file, *index).value()->total(0.5, 0).hits;
  };
  EXPECT_EQ(hits(R"(,"category":"vehicle")"), 1u);
  EXPECT_EQ(hits(R"(,"category":"pedestrian")"), 0u);
  EXPECT_EQ(hits(""), 0u) << "2 is the index's pedestrian";
}

TEST(IndexSource, FiltersBoxesAndImages) {
  const TempFolder folder;
  makeIndex(folder, street());
  TaskTemplate task;
  task.order = BoxOrder::Stored;
  task.minBoxPx = 4;
  task.includeEmpty = false;
  const auto source = openSource({.path = (folder / "index").string(), .query = "timestamp<3"}, task).value();
  ASSERT_EQ(source->size(), 1u);
  EXPECT_EQ(source->text(0).value().suffix, "<loc0000><loc0000><loc0512><loc0512> vehicle");
  task.minBoxPx = 0;
  task.maxBoxes = 2;
  const auto largest = openSource({.path = (folder / "index").string()}, task).value();
  EXPECT_EQ(largest->text(0).value().boxes.size(), 2u);
}

TEST(IndexSource, ShufflesAnewEachEpochAndAlikeEverywhere) {
  const TempFolder folder;
  Recording recording = fakeRecording("s", "training");
  std::vector<Box> boxes;
  for (int i = 0; i < 8; ++i) boxes.push_back(fakeBox(kVehicle, 100 * i, 10, 20, 20));
  recording.images = {fakeImage(1, Camera::Front, boxes)};
  makeIndex(folder, {recording});
  const auto one = openSource({.path = (folder / "index").string()}, {}).value();
  const auto two = openSource({.path = (folder / "index").string()}, {}).value();
  std::set<std::string> seen;
  for (std::uint64_t epoch = 0; epoch < 5; ++epoch) {
    EXPECT_EQ(one->text(0, epoch).value().suffix, two->get(0, epoch).value().suffix);
    seen.insert(one->text(0, epoch).value().suffix);
  }
  EXPECT_EQ(seen.size(), 5u);
  TaskTemplate sorted;
  sorted.order = BoxOrder::TopLeft;
  const auto still = openSource({.path = (folder / "index").string()}, sorted).value();
  EXPECT_EQ(still->text(0, 1).value().suffix, still->text(0, 2).value().suffix);
}

TEST(IndexSource, QuestionsDoNotGiveTheAnswerAway) {
  const TempFolder folder;
  makeIndex(folder, street());
  TaskTemplate task;
  task.task = "vqa";
  const auto source = openSource({.path = (folder / "index").string()}, task).value();
  EXPECT_EQ(source->text(0).value().prefix, source->text(1).value().prefix);
  EXPECT_EQ(source->text(0).value().suffix, "cyclist, pedestrian, vehicle");
  EXPECT_EQ(source->text(1).value().suffix, "none");
}

TEST(IndexSource, MistakesAreNamed) {
  const TempFolder folder;
  makeIndex(folder, street());
  const std::string path = (folder / "index").string();
  TaskTemplate task;
  task.classes = {"vehicel"};
  EXPECT_NE(openSource({.path = path}, task).error().text().find("vehicle"), std::string::npos);
  EXPECT_EQ(openSource({.path = path, .query = "n >"}, {}).error().kind, ErrorKind::BadInput);
  EXPECT_EQ(openSource({.path = (folder / "no").string()}, {}).error().kind, ErrorKind::BadInput);
}

class JsonlSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    jpeg = encodeJpeg(Image(32, 16)).value();
    folder.write("img/a.jpg", jpeg);
    folder.write(
        "train.jsonl",
        "{\"image\":\"img/a.jpg\",\"prefix\":\"detect car\",\"suffix\":\"<loc0000><loc0000><loc0010><loc0010> car\"}\n"
        "\n"
        "{\"image\":\"img/gone.jpg\",\"prefix\":\"p\",\"suffix\":\"s\"}\n"
        "not json\n"
        "{\"image\":\"img/a.jpg\",\"prefix\":\"caption en\",\"suffix\":\"a road\"}");
  }
  TempFolder folder;
  std::string jpeg;
};

TEST_F(JsonlSourceTest, KeepsFileOrderAndNamesBadLines) {
  const auto source = openSource({.path = (folder / "train.jsonl").string()}, {}).value();
  ASSERT_EQ(source->size(), 4u);
  const Sample first = source->get(0).value();
  EXPECT_EQ(first.image, jpeg);
  EXPECT_EQ(first.width, 32);
  EXPECT_EQ(first.prefix, "detect car");
  EXPECT_NE(source->get(1).error().text().find("train.jsonl:3"), std::string::npos);
  EXPECT_NE(source->get(2).error().text().find("train.jsonl:4"), std::string::npos);
  EXPECT_EQ(source->get(3).value().suffix, "a road");
}

TEST_F(JsonlSourceTest, NullIsNoText) {
  const auto file = folder.write("null.jsonl", R"({"image":"img/a.jpg","prefix":"caption en","suffix":null})");
  const auto sample = openSource({.path = file.string()}, {}).value()->get(0);
  ASSERT_TRUE(sample.ok()) << sample.error().text();
  EXPECT_EQ(sample.value().prefix, "caption en");
  EXPECT_EQ(sample.value().suffix, "");
}

TEST_F(JsonlSourceTest, AFileThatBecomesShorterEndsNothing) {
  const auto file = folder / "train.jsonl";
  const auto source = openSource({.path = file.string()}, {}).value();
  std::filesystem::resize_file(file, 120);
  EXPECT_TRUE(source->get(0).ok());
  const auto gone = source->get(3);
  ASSERT_FALSE(gone.ok());
  EXPECT_NE(gone.error().text().find("became shorter"), std::string::npos) << gone.error().text();
}

TEST_F(JsonlSourceTest, PicturesOfOneRecordingStayTogether) {
  folder.write("scenes.jsonl",
               "{\"image\":\"img/night_1557843345612667_FRONT.jpg\"}\n"
               "{\"image\":\"img/night_1557843345712667_SIDE_LEFT.jpg\"}\n"
               "{\"image\":\"img/a.jpg\"}\n");
  const auto source = openSource({.path = (folder / "scenes.jsonl").string()}, {}).value();
  EXPECT_EQ(source->group(0), "night");
  EXPECT_EQ(source->group(1), "night");
  EXPECT_EQ(source->group(2), "img/a.jpg");
}

TEST_F(JsonlSourceTest, AQueryNeedsAnIndex) {
  EXPECT_FALSE(openSource({.path = (folder / "train.jsonl").string(), .query = "n>1"}, {}).ok());
}

TEST_F(JsonlSourceTest, WeightsRepeatSources) {
  const std::string path = (folder / "train.jsonl").string();
  const auto mix = openMix({{.path = path, .weight = 2}, {.path = path, .weight = 0.5}}, {}).value();
  EXPECT_EQ(mix->size(), 10u);
  EXPECT_EQ(mix->get(4).value().id, mix->get(0).value().id);
  EXPECT_FALSE(openMix({{.path = path, .weight = 0}, {.path = path}}, {}).ok());
}

TEST(CocoSource, TellsItsBoxesByName) {
  const TempFolder folder;
  folder.write("images/a.jpg", encodeJpeg(Image(100, 50)).value());
  const auto file = folder.write(
      "gt.json",
      R"({"images":[{"id":7,"file_name":"a.jpg","width":100,"height":50}],"categories":[{"id":3,"name":"car"}],)"
      R"("annotations":[{"id":1,"image_id":7,"category_id":3,"bbox":[0,0,50,25],"area":1250,"iscrowd":0}]})");
  TaskTemplate task;
  task.classes = {"car"};
  const auto opened = openSource({.path = file.string()}, task);
  ASSERT_TRUE(opened.ok()) << opened.error().text();
  const Sample sample = opened.value()->get(0).value();
  EXPECT_EQ(sample.prefix, "detect car");
  EXPECT_EQ(sample.suffix, "<loc0000><loc0000><loc0512><loc0512> car");
  EXPECT_EQ(sample.width, 100);
}

TEST(CocoSource, LabelsOfAnotherKindTeachNothing) {
  const TempFolder folder;
  folder.write("images/a.jpg", encodeJpeg(Image(100, 50)).value());
  const auto file = folder.write(
      "gt.json",
      R"({"images":[{"id":7,"file_name":"a.jpg","width":100,"height":50}],"categories":[{"id":3,"name":"dog"}],)"
      R"("annotations":[{"id":1,"image_id":7,"category_id":3,"bbox":[0,0,50,25],"area":1250,"iscrowd":0}]})");
  const auto refused = openSource({.path = file.string()}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().where, file.string());
  EXPECT_NE(refused.error().hint.find("dog"), std::string::npos) << refused.error().text();
  TaskTemplate task;
  task.classes = {"cat"};
  EXPECT_FALSE(openSource({.path = file.string()}, task).ok());
  task.classes = {"dog"};
  EXPECT_TRUE(openSource({.path = file.string()}, task).ok());
}

TEST(CocoSource, PicturesThatAreNotThereAreNamedAsTheReason) {
  const TempFolder folder;
  const auto file = folder.write(
      "gt.json",
      R"({"images":[{"id":7,"file_name":"a.jpg","width":100,"height":50}],"categories":[{"id":3,"name":"vehicle"}],)"
      R"("annotations":[{"id":1,"image_id":7,"category_id":3,"bbox":[0,0,50,25],"area":1250,"iscrowd":0}]})");
  const auto refused = openSource({.path = file.string()}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text().find("images"), std::string::npos) << refused.error().text();
  EXPECT_EQ(refused.error().where, file.string());
}

}  // namespace
}  // namespace roadtune::data
