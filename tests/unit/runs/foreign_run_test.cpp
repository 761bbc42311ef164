// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of other programs, of which there are only TensorBoard's files.
#include "core/runs/record_frame.h"
#include "core/runs/tensorboard_writer.h"
#include "tests/unit/runs/opened_run.h"

namespace roadtune::runs {
namespace {

using testing::TempFolder;

TEST(ForeignRun, OpensTensorboardFoldersOfOtherPrograms) {
  TempFolder folder;
  {
    auto writer = TensorboardWriter::open(folder / "tb", 1000);
    ASSERT_TRUE(writer.value().add(1000, 1, {{"train/loss", 2.f}, {"other/thing", 1.f}}).ok());
    ASSERT_TRUE(writer.value().add(1001, 2, {{"train/loss", 1.f}}).ok());
  }
  RunStore store = open(folder / "tb");
  EXPECT_TRUE(store.foreign());
  EXPECT_EQ(store.metricNames(), (std::vector<std::string>{"other/thing", "train/loss"}));
  EXPECT_EQ(store.progress().step, 2);
  EXPECT_EQ(store.state(), RunState::Finished);
  {
    auto writer = TensorboardWriter::open(folder / "tb", 1000);
    ASSERT_TRUE(writer.value().add(1002, 3, {{"train/loss", 0.5f}}).ok());
  }
  EXPECT_TRUE(store.refresh().valueOr(false));
  EXPECT_EQ(store.series("train/loss")->size(), 3u);
}

TEST(ForeignRun, KeepsAllPointsOfOtherProgramsUntilTheySayThatTheyBeginAgain) {
  TempFolder folder;
  {
    auto first = TensorboardWriter::open(folder / "tb", 1000);
    for (const int step : {10, 5, 7, 3}) ASSERT_TRUE(first.value().add(1000 - step, step, {{"ooo", 1.f}}).ok());
    for (int step = 0; step < 10; ++step) ASSERT_TRUE(first.value().add(1000 + step, step, {{"loss", 1.f}}).ok());
    auto second = TensorboardWriter::open(folder / "tb", 2000);
    for (int step = 5; step < 8; ++step) ASSERT_TRUE(second.value().add(2000 + step, step, {{"loss", 2.f}}).ok());
  }
  RunStore store = open(folder / "tb");
  EXPECT_EQ(store.series("ooo")->size(), 4u);
  EXPECT_EQ(store.series("loss")->size(), 13u);

  // Event{wall_time: 0, step: 4, session_log {status: START}}
  const std::string start = frameRecord(std::string("\x09\0\0\0\0\0\0\0\0\x10\x04\x3a\x02\x08\x01", 15));
  folder.write("tb/events.out.tfevents.3000.x", tensorboardVersionRecord(3000) + start);
  EXPECT_TRUE(store.refresh().valueOr(false));
  EXPECT_EQ(store.series("loss")->size(), 4u);
  EXPECT_EQ(store.series("ooo")->size(), 1u);
}

}  // namespace
}  // namespace roadtune::runs
