// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/complete_marker.h"
#include "core/engine/checkpoint/resume_files.h"
#include "core/engine/loop/run_state.h"
#include "core/engine/nn/ops.h"
#include "core/model/safetensors_writer.h"
#include "core/protocol/checkpoint_marker.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace roadtune::engine {
namespace {

TEST(CompleteMarker, SealsAFolderWithAllThatIsBelowIt) {
  const testing::TempFolder folder;
  folder.write("a.bin", "first");
  folder.write("ema/b.json", "{}");
  std::vector<std::int64_t> told;
  ASSERT_TRUE(sealFolder(folder.path(), [&](auto done, auto of) { told.insert(told.end(), {done, of}); }).ok());
  EXPECT_EQ(told, (std::vector<std::int64_t>{1, 2, 2, 2})) << "how far it is, file by file";
  EXPECT_TRUE(protocol::verifyCheckpoint(folder.path(), protocol::Compare::Content).ok());
  folder.write("ema/b.json", "[]");
  EXPECT_EQ(protocol::verifyCheckpoint(folder.path(), protocol::Compare::Content).error().what,
            "ema/b.json was altered after it was written");
}

TEST(RunState, ComesBackExactly) {
  RunState state;
  state.globalStep = 7;
  state.epoch = 1.0 / 3.0;
  state.lossSinceLog = 0.1 + 0.2;
  state.best.best = 0.25;
  state.history.push_back({{"loss", 0.1}, {"step", 1}});
  const auto text = toJson(state).dump();
  const auto back = runStateFromJson(nlohmann::json::parse(text), "test");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(toJson(back.value()).dump(), text);
  EXPECT_EQ(back.value().lossSinceLog, state.lossSinceLog);
  EXPECT_FALSE(runStateFromJson(nlohmann::json::parse("{\"format\":1}"), "test").ok());
}

// As many elements are not enough: a matrix lying on its side would be read in silence.
TEST(ResumeTensors, OfAnotherShapeAreRefusedByName) {
  Parameter weight{"weight", at::zeros({4, 6})};
  FlatGroup group{.members = {&weight}, .offsets = {0}, .begins = {0}, .counts = {24}};
  group.values = at::zeros({24});
  group.gradients = at::zeros({24});
  group.firstMoment = Moment::zeros(24, false, true, at::kCPU);
  group.secondMoment = Moment::zeros(24, false, false, at::kCPU);
  AdamW optimizer({group}, {});
  const std::vector<std::uint8_t> bytes(24 * sizeof(float), 0x3f);
  const auto read = [&](const std::vector<std::int64_t>& shape) {
    const testing::TempFolder folder;
    folder.write("resume.json", "{\"optimizer_steps\": 3}");
    const auto stored = model::writeSafetensors(
        folder / "resume.safetensors",
        {{"exp_avg.weight", model::Dtype::F32, shape, bytes}, {"exp_avg_sq.weight", model::Dtype::F32, {4, 6}, bytes}});
    EXPECT_TRUE(stored.ok());
    return readResumeTensors(optimizer, folder.path());
  };
  EXPECT_EQ(read({6, 4}).error().what, "exp_avg.weight has another shape now");
  EXPECT_EQ(optimizer.steps(), 0);
  EXPECT_TRUE(read({4, 6}).ok());
  EXPECT_EQ(optimizer.steps(), 3);
  EXPECT_GT(optimizer.groups()[0].firstMoment.values.min().item<float>(), 0.7f);
}

}  // namespace
}  // namespace roadtune::engine
