// SPDX-License-Identifier: GPL-3.0-or-later
// Regions with COCO's iscrowd: kept, told, written again, and never a thing to learn or to be blamed for.
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
  EXPECT_EQ(exported(ExportFormat::Yolo, "yolo").crowds, 2u);
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
    EXPECT_EQ(opened.value()->get(0).value().boxes.size(), task.task == "detect" ? 1u : 0u);
    EXPECT_EQ(opened.value()->get(1).value().id, "c.jpg");
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

}  // namespace
}  // namespace roadtune::data
