// SPDX-License-Identifier: GPL-3.0-or-later
// What images cost a run, in queries.
#include "core/data/query/image_losses.h"

#include "core/data/query/query.h"
#include "core/protocol/manifest.h"
#include "tests/unit/data/fake_recordings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace roadtune::data {
namespace {

using testing::TempFolder;
using Ids = std::vector<ImageId>;

struct ImageLossesTest : ::testing::Test {
  void SetUp() override {
    Recording day = fakeRecording("100_day", "training", "Day");
    day.images = {fakeImage(10, Camera::Front, {}), fakeImage(10, Camera::FrontLeft, {}),
                  fakeImage(20, Camera::Front, {}), fakeImage(30, Camera::Front, {})};
    index = makeIndex(folder, {day});
    folder.write("runs/night/run.yaml", "model: {}\n");
    folder.write("runs/night/events/rank-000.jsonl", "");
  }
  void write(const std::string& rest = {}) const {
    folder.write("runs/night/ledger/rank-000.jsonl",
                 line(1, "100_day/10/FRONT", "2.5") + line(2, "100_day/20/FRONT", "0.5") +
                     line(3, "100_day/10/FRONT", "1.5") + line(3, "elsewhere/1/FRONT", "9") + rest);
  }
  static std::string line(int step, const std::string& sample, const std::string& loss) {
    return "{\"step\":" + std::to_string(step) + ",\"epoch\":0.5,\"sample\":\"" + sample + "\",\"loss\":" + loss +
           ",\"tokens\":4}\n";
  }
  std::string run() const { return (folder / "runs/night").string(); }
  Ids find(QueryEngine& engine, const std::string& text) const {
    const auto query = Query::parse(text);
    EXPECT_TRUE(query.ok()) << text;
    const auto result = engine.run(query.value());
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().text());
    return result.ok() ? result.value().images : Ids{};
  }
  QueryError errorOf(QueryEngine& engine, const std::string& text) const {
    QueryError where;
    const auto query = Query::parse(text, where);
    if (query.ok()) EXPECT_FALSE(engine.check(query.value(), where).ok()) << text;
    return where;
  }

  TempFolder folder;
  std::shared_ptr<const Index> index;
};

TEST_F(ImageLossesTest, TheWorstComeFirstAndWhatTheRunNeverSawLast) {
  write();
  QueryEngine engine(index);
  engine.setRuns({{"night", folder / "runs/night"}});
  EXPECT_EQ(find(engine, "sort by loss(night) desc"), (Ids{0, 2, 1, 3}));
  EXPECT_EQ(find(engine, "sort by loss(night)"), (Ids{2, 0, 1, 3}));
  EXPECT_EQ(find(engine, "sort by loss(\"" + run() + "\") desc limit 1"), (Ids{0})) << "a folder needs no name";
  EXPECT_EQ(find(engine, "loss(night) >= 0.5 and camera = front"), (Ids{0, 2}));
  EXPECT_EQ(find(engine, "loss(night) > 1"), (Ids{0})) << "what it cost last counts, not what it cost first";
  EXPECT_EQ(find(engine, "not loss(night) >= 0 sort by timestamp desc"), (Ids{3, 1}));
}

TEST_F(ImageLossesTest, AsManyRunsAsAQueryNamesAreKept) {
  write();
  QueryEngine engine(index);
  std::map<std::string, std::filesystem::path> runs;
  for (const std::string name : {"a", "b", "c", "d", "e"}) {
    std::filesystem::copy(run(), folder / ("runs/" + name), std::filesystem::copy_options::recursive);
    runs[name] = folder / ("runs/" + name);
  }
  engine.setRuns(runs);
  EXPECT_EQ(find(engine, "loss(a) > 1 and loss(b) > 1 and loss(c) > 1"), (Ids{0}));
  EXPECT_EQ(find(engine, "loss(a) > 1 and loss(d) > 1"), (Ids{0}));
  EXPECT_EQ(find(engine, "loss(a) > 1 and loss(b) > 1 and loss(c) > 1 and loss(d) > 1 and loss(e) > 1"), (Ids{0}));
}

TEST_F(ImageLossesTest, ARunThatGoesOnIsReadAgain) {
  write();
  QueryEngine engine(index);
  engine.setRuns({{"night", folder / "runs/night"}});
  const auto query = Query::parse("sort by loss(night) desc limit 2").value();
  EXPECT_EQ(engine.run(query).value().images, (Ids{0, 2}));
  EXPECT_EQ(engine.losses(query)->of(0)->summary.seen, 2);
  EXPECT_EQ(engine.losses(query)->of(0)->summary.lastStep, 3);
  EXPECT_EQ(engine.losses(query)->of(1), nullptr);
  write(line(4, "100_day/30/FRONT", "\"nan\""));
  EXPECT_EQ(engine.run(query).value().images, (Ids{3, 0})) << "no number is worse than any";
  EXPECT_TRUE(std::isnan(engine.losses(query)->of(3)->summary.last));
  EXPECT_EQ(engine.losses(Query::parse("n > 1").value()), nullptr);
}

TEST_F(ImageLossesTest, RunsThatNobodyKnowsOrThatKeptNothingAreRefusedAtTheirPlace) {
  folder.write("runs/night/run.yaml", "train:\n  record_sample_losses: false\n");
  QueryEngine engine(index);
  engine.setRuns({{"night", folder / "runs/night"}});
  const auto none = errorOf(engine, "n > 1 sort by loss(night) desc");
  EXPECT_NE(none.message.find("record_sample_losses"), std::string::npos) << none.message;
  const auto unknown = errorOf(engine, "loss(nihgt) > 1");
  EXPECT_EQ(unknown.column, 0u);
  EXPECT_EQ(unknown.suggestion, "night");
  EXPECT_NE(unknown.message.find("'nihgt'"), std::string::npos);
  EXPECT_NE(errorOf(engine, "loss() > 1").message.find("a run is expected"), std::string::npos);
  EXPECT_NE(errorOf(engine, "sort by loss").message.find("'('"), std::string::npos);
}

TEST_F(ImageLossesTest, LossesThatAreNotHereYetAreNoReasonToRecordThem) {
  folder.write("runs/night/run.yaml", "train:\n  record_sample_losses: true\n");
  QueryEngine engine(index);
  engine.setRuns({{"night", folder / "runs/night"}});
  EXPECT_NE(errorOf(engine, "sort by loss(night)").message.find("no losses of samples yet; they come with its first"),
            std::string::npos);
  protocol::Manifest manifest;
  manifest.nodes = {{.node = 0, .host = "far", .address = "host1"}};
  ASSERT_TRUE(protocol::writeManifest(folder / "runs/night/manifest.json", manifest).ok());
  const std::string told = errorOf(engine, "sort by loss(night)").message;
  EXPECT_NE(told.find("lie on host1 and are not here yet; `roadtune attach " + run() + "` brings them"),
            std::string::npos)
      << told;
  EXPECT_EQ(told.find("record_sample_losses"), std::string::npos) << told;
}

TEST_F(ImageLossesTest, ImagesThatAreFilesAreFoundByTheirNames) {
  Recording drive = fakeRecording("drive", "");
  for (int i = 0; i < 3; ++i) {
    drive.images.push_back(fakeImage(i, Camera::Unknown, {}));
    drive.images.back().name = "frame" + std::to_string(i) + ".jpg";
  }
  const TempFolder other;
  const auto files = makeIndex(other, {drive});
  folder.write("runs/night/ledger/rank-000.jsonl", line(1, "frame2.jpg", "3") + line(1, "frame0.jpg", "1"));
  QueryEngine engine(files);
  EXPECT_EQ(find(engine, "sort by loss(\"" + run() + "\") desc"), (Ids{2, 0, 1}));
}

}  // namespace
}  // namespace roadtune::data
