// SPDX-License-Identifier: GPL-3.0-or-later
// COCO's iscrowd and KITTI's DontCare: kept, told, written again, and never a thing to learn or to be blamed for.
#include "core/data/eval/prediction_set.h"
#include "core/data/export/export.h"
#include "core/data/export/pack.h"
#include "core/data/image/encode.h"
#include "core/data/index/statistics.h"
#include "core/data/query/query.h"
#include "core/data/source/sample_source.h"
#include "tests/support/program.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roadtune::data {
namespace {

// a.jpg shows a walker and a crowd, b.jpg a crowd alone, c.jpg nothing.
class Crowds : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a.jpg", "b.jpg", "c.jpg"}) folder.write(name, encodeJpeg(Image(200, 100)).value());
    folder.write("gt.json", R"({"images":[{"id":1,"file_name":"a.jpg"},{"id":2,"file_name":"b.jpg"},
                                         {"id":3,"file_name":"c.jpg"}],
      "categories":[{"id":1,"name":"car"},{"id":2,"name":"walker"}],"annotations":[
        {"id":5,"image_id":1,"category_id":2,"bbox":[100.13,2.07,31.4,40.1],"iscrowd":1},
        {"id":6,"image_id":1,"category_id":2,"bbox":[1,2,30,40],"iscrowd":0},
        {"id":7,"image_id":1,"category_id":2,"bbox":[300,2,30,40],"iscrowd":1},
        {"id":8,"image_id":2,"category_id":2,"bbox":[10,20,90,50],"iscrowd":true}]})");
    index = import(folder / "gt.json", "index");
  }

  std::shared_ptr<const Index> import(const std::filesystem::path& file, const std::string& out) {
    ImportRequest request;
    request.sources = {file};
    request.out = folder / out;
    request.onProblem = [&](const Problem& problem) { problems.push_back(problem.line()); };
    EXPECT_TRUE(importInto(request, basicReaders(), quiet).ok());
    return Index::open(request.out).value();
  }

  ExportOutcome exported(ExportFormat format, const std::string& out, const std::vector<std::string>& classes = {}) {
    const ExportRequest request{.format = format, .out = folder / out, .classes = classes};
    return exportImages(*index, {0, 1, 2}, request, quiet).value();
  }

  testing::TempFolder folder;
  QuietProgress quiet;
  std::vector<std::string> problems;
  std::shared_ptr<const Index> index;
};

TEST_F(Crowds, AreKeptBesideTheBoxes) {
  EXPECT_EQ(index->boxCount(), 1u);
  const std::vector<Box> crowds = index->crowds(0);
  ASSERT_EQ(crowds.size(), 1u);
  EXPECT_EQ(crowds[0].x, 100.13);
  EXPECT_EQ(crowds[0].h, 40.1);
  EXPECT_EQ(index->classNames()[crowds[0].type], "walker");
  EXPECT_EQ(index->crowds(1).size(), 1u);
  EXPECT_TRUE(index->crowds(2).empty());
  const IndexStatistics counts = measureIndex(*index);
  EXPECT_EQ(counts.crowds, 2u);
  EXPECT_EQ(counts.empty, 1u);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("1 box with impossible coordinates"), std::string::npos) << problems[0];
  EXPECT_EQ(QueryEngine(index).count(Query::parse("any(walker)").value()).value(), 1u);
}

TEST_F(Crowds, AreWrittenToCocoAgain) {
  const ExportOutcome outcome = exported(ExportFormat::Coco, "out/gt.json");
  EXPECT_EQ(outcome.boxes, 1u);
  EXPECT_EQ(outcome.crowds, 2u);
  EXPECT_EQ(outcome.crowdsLeftOut, 0u);
  const auto coco = nlohmann::json::parse(testing::readAll(folder / "out/gt.json"));
  ASSERT_EQ(coco["annotations"].size(), 3u);
  EXPECT_EQ(coco["annotations"][0]["iscrowd"], 0);
  EXPECT_EQ(coco["annotations"][1]["iscrowd"], 1);
  EXPECT_EQ(coco["annotations"][1]["bbox"], nlohmann::json({100.13, 2.07, 31.4, 40.1}));
  EXPECT_EQ(coco["annotations"][1]["category_id"], coco["annotations"][0]["category_id"]);
  const auto again = import(folder / "out/gt.json", "again");
  EXPECT_EQ(again->crowds(0)[0].x, 100.13);
  EXPECT_EQ(measureIndex(*again).crowds, 2u);
  EXPECT_EQ(exported(ExportFormat::Coco, "cars.json", {"car"}).crowds, 0u);
}

TEST_F(Crowds, AreNoBoxesOfOtherFormats) {
  EXPECT_EQ(exported(ExportFormat::Yolo, "yolo").crowdsLeftOut, 2u);
  EXPECT_EQ(exported(ExportFormat::Kitti, "kitti").crowdsLeftOut, 2u) << "DontCare would be of every class";
  EXPECT_EQ(testing::readAll(folder / "yolo/labels/all/b.txt"), "");
  const ExportOutcome learnt = exported(ExportFormat::PaliGemma, "p.jsonl", {"walker"});
  EXPECT_EQ(learnt.images, 2u) << "b.jpg would be called empty";
  EXPECT_EQ(learnt.withoutLabels, 1u);
  exported(ExportFormat::Jsonl, "out.jsonl");
  EXPECT_EQ(testing::readAll(folder / "out.jsonl").find("100.13"), std::string::npos);
}

TEST_F(Crowds, AreNeverLearnt) {
  TaskTemplate task;
  for (const auto& [name, classes, samples] :
       {std::tuple("detect", std::vector<std::string>{"walker", "car"}, 2u),  // b.jpg is not empty, and has no box
        std::tuple("vqa", std::vector<std::string>{"walker"}, 2u)}) {
    task.task = name;
    task.classes = classes;
    const auto opened = openSource({.path = (folder / "gt.json").string()}, task);
    ASSERT_TRUE(opened.ok()) << opened.error().text();
    ASSERT_EQ(opened.value()->size(), samples) << name;
    const Sample sample = opened.value()->get(0).value();
    EXPECT_EQ(sample.boxes.size(), task.task == "detect" ? 1u : 0u);
    ASSERT_EQ(sample.crowds.size(), task.task == "detect" ? 1u : 0u) << "for the AP of evaluations";
    EXPECT_EQ(opened.value()->get(1).value().id, "c.jpg");
    if (sample.crowds.empty()) continue;
    EXPECT_EQ(sample.crowds[0].label, "walker");
    EXPECT_EQ(sample.crowds[0].box.x1, 100.13);
    EXPECT_DOUBLE_EQ(sample.crowds[0].box.y2, 2.07 + 40.1);
  }
}

TEST_F(Crowds, WhatIsFoundInThemIsNeitherHitNorMistake) {
  const auto file = folder.write("p.jsonl", R"({"image":"a.jpg","boxes":[
    {"label":"walker","bbox":[105,5,10,10],"score":0.9},{"label":"walker","bbox":[110,5,10,10],"score":0.8},
    {"label":"car","bbox":[105,5,10,10],"score":0.7},{"label":"walker","bbox":[1,2,30,40],"score":0.6}]})");
  std::string line = testing::readAll(file);
  std::erase(line, '\n');
  folder.write("p.jsonl", line);
  const auto set = PredictionSet::read(file, *index);
  ASSERT_TRUE(set.ok()) << set.error().text();
  const MatchCounts counts = set.value()->total(0.5, 0);
  EXPECT_EQ(counts.hits, 1u);
  EXPECT_EQ(counts.wrong, 1u) << "the car; a crowd is one of its class";
  EXPECT_EQ(counts.missed, 0u);
  EXPECT_TRUE(set.value()->on(0, 0.5, 0.7).missed == std::vector<std::size_t>{0});
}

TEST_F(Crowds, GoIntoPacks) {
  PackRequest request;
  request.out = folder / "pack";
  request.size = 56;
  ASSERT_TRUE(packImages(*index, {0, 1, 2}, request, quiet).ok());
  const auto pack = Index::open(folder / "pack").value();
  ASSERT_EQ(pack->crowds(0).size(), 1u);
  EXPECT_EQ(pack->crowds(0)[0].x, 100.13);
  EXPECT_EQ(pack->classNames()[pack->crowds(0)[0].type], "walker");
  EXPECT_EQ(pack->classNames()[pack->boxes(0)[0].type], "walker");
}

// a shows a car and a region that KITTI does not care for, b such a region alone.
class DontCare : public Crowds {
 protected:
  void SetUp() override {
    for (const char* name : {"k/image_2/a.png", "k/image_2/b.png"})
      folder.write(name, encodePng(Image(200, 100)).value());
    folder.write("k/label_2/a.txt",
                 "Car 0 0 0 10 20 50 60 0 0 0 0 0 0 0\nTram 0 0 0 150 50 160 60 0 0 0 0 0 0 0\n"
                 "DontCare -1 -1 -10 100.5 10 180 40 -1 -1 -1 -1000 -1000 -1000 -10\n");
    folder.write("k/label_2/b.txt", "DontCare -1 -1 -10 1 2 30 40 -1 -1 -1 -1000 -1000 -1000 -10\n");
    index = import(folder / "k", "index");
  }
};

TEST_F(DontCare, RegionsAreKeptBesideTheBoxes) {
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(index->boxCount(), 2u);
  ASSERT_EQ(index->crowds(0).size(), 1u);
  EXPECT_EQ(index->crowds(0)[0].x, 100.5);
  EXPECT_EQ(index->crowds(0)[0].w, 79.5);
  EXPECT_EQ(measureIndex(*index).crowds, 2u);
  EXPECT_EQ(measureIndex(*index).empty, 0u);
  EXPECT_FALSE(measureIndex(*index).boxesPerClass.contains("unknown"));
}

TEST_F(DontCare, NothingFoundInOneIsAMistakeWhateverItsClass) {
  const auto file = folder.write(
      "p.jsonl", R"({"image":"image_2/a.png","boxes":[{"label":"vehicle","bbox":[110,15,20,20],"score":0.9},)"
                 R"({"label":"tram","bbox":[90,15,19,20],"score":0.8},)"
                 R"({"label":"balloon","bbox":[120,12,20,20],"score":0.7},)"
                 R"({"label":"vehicle","bbox":[10,20,40,40],"score":0.6}]})");
  const auto set = PredictionSet::read(file, *index);
  ASSERT_TRUE(set.ok()) << set.error().text();
  const MatchCounts counts = set.value()->total(0.5, 0);
  EXPECT_EQ(counts.hits, 1u);
  EXPECT_EQ(counts.wrong, 1u) << "the tram, of which less than half lies in it";
  EXPECT_EQ(counts.missed, 1u) << "the tram";
}

TEST_F(DontCare, RegionsAreOfEveryWantedClassOfASample) {
  TaskTemplate task;
  task.classes = {"vehicle", "tram"};
  const auto opened = openSource({.path = (folder / "index").string()}, task);
  ASSERT_TRUE(opened.ok()) << opened.error().text();
  ASSERT_EQ(opened.value()->size(), 2u) << "b stays: the region does not say that it shows a wanted class";
  const Sample sample = opened.value()->get(0).value();
  EXPECT_EQ(sample.boxes.size(), 2u);
  ASSERT_EQ(sample.crowds.size(), 2u);
  EXPECT_EQ(sample.crowds[0].label, "vehicle");
  EXPECT_EQ(sample.crowds[1].label, "tram");
  EXPECT_EQ(sample.crowds[1].box.x2, 180);
}

TEST_F(DontCare, RegionsAreWrittenAgain) {
  const auto exportedTo = [&](ExportFormat format, const std::string& out) {
    const ExportRequest request{.format = format, .out = folder / out, .classes = {"vehicle", "tram"}};
    return exportImages(*index, {0, 1}, request, quiet).value();
  };
  EXPECT_EQ(exportedTo(ExportFormat::Yolo, "yolo").crowdsLeftOut, 2u);
  const ExportOutcome kitti = exportedTo(ExportFormat::Kitti, "kitti");
  EXPECT_EQ(kitti.crowds, 2u);
  EXPECT_EQ(kitti.crowdsLeftOut, 0u);
  EXPECT_EQ(testing::readAll(folder / "kitti/label_2/image_2_b.txt"),
            "DontCare -1 -1 -10 1.00 2.00 30.00 40.00 -1 -1 -1 -1000 -1000 -1000 -10\n");
  EXPECT_EQ(exportedTo(ExportFormat::Coco, "gt.json").crowds, 2u);
  const auto coco = nlohmann::json::parse(testing::readAll(folder / "gt.json"));
  EXPECT_EQ(coco["annotations"].size(), 2u + 2 * 2) << "COCO's crowds are of one class each";
  EXPECT_EQ(coco["categories"].size(), 2u);
}

}  // namespace
}  // namespace roadtune::data
