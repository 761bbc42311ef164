// SPDX-License-Identifier: GPL-3.0-or-later
// What predict, merge and quantize refuse before they load a model: none of these has one.
#include "core/engine/merge.h"
#include "core/engine/predict.h"
#include "core/engine/quantize.h"
#include "core/model/tiny_model.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace roadtune::engine {
namespace {

TEST(Tools, APlaceThatCannotBeWrittenToIsSaidBeforeTheWork) {
  const testing::TempFolder folder;
  folder.write("file", "mine");
  folder.write("full/keep.txt", "mine");
  folder.write("model/config.json", "{}");
  const auto progress = makeProgressSink(ProgressStyle::None);
  for (const auto& [name, said] :
       std::vector<std::pair<std::string, std::string>>{{"file", "is a file, not a folder"},
                                                        {"full", "the folder is not empty"},
                                                        {"model", "the folder already holds a model"}}) {
    const auto out = folder / name;
    for (const auto& error : {merge({.model = "nowhere", .adapter = "nowhere", .out = out}, *progress).error(),
                              quantize({.model = "nowhere", .out = out}, *progress).error()}) {
      EXPECT_EQ(error.what, said);
      EXPECT_EQ(error.where, out.string());
      EXPECT_EQ(error.kind, ErrorKind::BadInput);
    }
  }
}

TEST(Tools, PredictLooksAtItsNumbersAndItsPlaceFirst) {
  const testing::TempFolder folder;
  folder.write("folder/keep.txt", "mine");
  const auto refusal = [&](PredictRequest request) {
    request.model = request.data = "nowhere";
    if (request.out.empty()) request.out = folder / "results.json";
    const auto progress = makeProgressSink(ProgressStyle::None);
    const auto report = predict(request, *progress);
    EXPECT_FALSE(report.ok());
    EXPECT_EQ(report.error().kind, ErrorKind::BadInput);
    return report.error().text();
  };
  EXPECT_EQ(refusal({.limit = -1}), "--limit: must be at least 0 (try: 0 takes all)");
  EXPECT_EQ(refusal({.workers = -1}), "--workers: must be from 0 to 1024");
  EXPECT_EQ(refusal({.workers = 100'000}), "--workers: must be from 0 to 1024");
  EXPECT_EQ(refusal({.batch = 0}), "--batch-size: must be at least 1");
  EXPECT_NE(refusal({.out = folder / "folder"}).find("is a folder"), std::string::npos);
  EXPECT_NE(refusal({.out = folder / "none/results.json"}).find("there is no such folder"), std::string::npos);
}

// The one picture of the index is labelled, with a cyclist, or not.
std::string indexOf(const testing::TempFolder& folder, bool labelled) {
  data::Recording recording;
  recording.name = recording.format = "fake";
  recording.images.push_back(data::fakeImage(1, data::Camera::Unknown, {}, labelled));
  if (labelled) recording.images[0].boxes.push_back(data::fakeBox(data::kCyclist, 1, 2, 30, 40));
  folder.write("a.fake", "1");
  data::RecordingReaders readers;
  readers.push_back(std::make_unique<data::FakeReader>(std::vector{recording}));
  data::ImportRequest request;
  request.sources = {folder / "a.fake"};
  request.out = folder / "index";
  data::QuietProgress quiet;
  EXPECT_TRUE(data::importInto(request, readers, quiet).ok());
  return request.out.string();
}

TEST(Tools, PredictRefusesAQueryThatFindsNothing) {
  const testing::TempFolder folder;
  PredictRequest request{.model = "nowhere", .data = indexOf(folder, true), .out = folder / "results.json"};
  request.classes = {"cyclist"};
  request.query = "count(cyclist)>1";
  request.device = "cpu";
  const auto progress = makeProgressSink(ProgressStyle::None);
  const auto report = predict(request, *progress);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, ErrorKind::BadInput);
  EXPECT_EQ(report.error().where, "--query");
  EXPECT_EQ(report.error().what, "no image to predict answers 'count(cyclist)>1'");
  EXPECT_FALSE(std::filesystem::exists(request.out));
  request.query.clear();
  EXPECT_EQ(predict(request, *progress).error().where, "nowhere") << "the model is next";
}

TEST(Tools, PredictTakesImagesThatNobodyLabelled) {
  const testing::TempFolder folder;
  PredictRequest request{.model = "nowhere", .data = indexOf(folder, false), .out = folder / "results.json"};
  request.classes = {"cyclist"};
  request.device = "cpu";
  const auto progress = makeProgressSink(ProgressStyle::None);
  EXPECT_EQ(predict(request, *progress).error().where, "nowhere") << "only the model is missing";
}

// Has had enough when it is told of this stage.
struct StopsAt : ProgressSink {
  explicit StopsAt(std::string at) : stage(std::move(at)) {}
  bool report(const Progress& progress) override { return progress.stage != stage || ++seen < 3; }
  std::string stage;
  int seen = 0;
};

TEST(Tools, AModelWhoseMakingIsEndedLeavesNothingBehind) {
  const testing::TempFolder folder;
  ASSERT_TRUE(model::writeTinyModel(folder / "model", {.imageSize = 28}).ok());
  for (const char* stage : {"quantizing", "writing"}) {
    StopsAt progress(stage);
    const auto made = quantize({.model = folder / "model", .out = folder / "made"}, progress);
    ASSERT_FALSE(made.ok()) << stage;
    EXPECT_EQ(made.error().kind, ErrorKind::Cancelled) << stage;
    EXPECT_EQ(progress.seen, 3) << stage << ": it went on";
    EXPECT_FALSE(std::filesystem::exists(folder / "made")) << stage;
    EXPECT_FALSE(std::filesystem::exists(folder / "made.partial")) << stage;
  }
  StopsAt never("");
  EXPECT_GT(quantize({.model = folder / "model", .out = folder / "made"}, never).value(), 0);
}

}  // namespace
}  // namespace roadtune::engine
