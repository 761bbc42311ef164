// SPDX-License-Identifier: GPL-3.0-or-later
// Our event files in TensorBoard's reader, and the files of the reference writers in ours.
#include "core/runs/run_store.h"
#include "core/runs/tensorboard_writer.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace roadtune::runs {
namespace {

using nlohmann::json;
using testing::TempFolder;

std::string script(const char* name) { return std::string(ROADTUNE_SOURCE_DIR) + "/tests/parity/runs/" + name; }

RunStore open(const fs::path& folder) {
  auto store = RunStore::open(folder);
  EXPECT_TRUE(store.ok());
  EXPECT_TRUE(store.value().refresh().ok());
  return std::move(store).value();
}

TEST(TensorboardParity, TheReferenceReaderSeesWhatWeWrote) {
  TempFolder folder;
  for (int life = 0; life < 2; ++life) {  // stopped and resumed
    auto writer = TensorboardWriter::open(folder.path(), 1767225600.0);
    ASSERT_TRUE(writer.ok());
    for (int step = 1 + life * 50; step <= 50 + life * 50; ++step)
      ASSERT_TRUE(
          writer.value()
              .add(1767225600.25 + step, step,
                   {{"train/loss", step == 60 ? NAN : 1.f / static_cast<float>(step)}, {"train/learning_rate", 1e-5f}})
              .ok());
  }
  const auto result =
      testing::runProgram({testing::oraclePython(), script("tensorboard_read.py"), folder.path().string()});
  ASSERT_EQ(result.exitCode, 0) << result.err;
  const json read = json::parse(result.out);
  ASSERT_EQ(read.size(), 2u);
  ASSERT_EQ(read["train/loss"].size(), 100u);
  EXPECT_EQ(read["train/loss"][59][2], "nan");
  for (int step = 1; step <= 100; ++step) {
    const json& point = read["train/loss"][static_cast<std::size_t>(step - 1)];
    EXPECT_EQ(point[0], step);
    EXPECT_EQ(point[1], 1767225600.25 + step);
    if (step == 60) continue;
    EXPECT_EQ(std::stof(point[2].get<std::string>()), 1.f / static_cast<float>(step));
  }
}

TEST(TensorboardParity, WeSeeWhatTheReferenceWritersWrote) {
  TempFolder folder;
  const auto result =
      testing::runProgram({testing::oraclePython(), script("tensorboard_write.py"), folder.path().string()});
  ASSERT_EQ(result.exitCode, 0) << result.err;

  const RunStore torch = open(folder / "torch");
  EXPECT_TRUE(torch.foreign());
  EXPECT_EQ(torch.metricNames(), (std::vector<std::string>{"new/style", "train/loss"}));
  const Series& loss = *torch.series("train/loss");
  ASSERT_EQ(loss.size(), 51u);
  for (int step = 0; step < 50; ++step) {
    EXPECT_EQ(loss.at(static_cast<std::size_t>(step)).step, step);
    EXPECT_EQ(loss.at(static_cast<std::size_t>(step)).time, 1000.5 + step);
    EXPECT_EQ(loss.at(static_cast<std::size_t>(step)).value, static_cast<double>(static_cast<float>(1.0 / (step + 1))));
  }
  EXPECT_TRUE(std::isnan(loss.last().value));
  EXPECT_EQ(torch.series("new/style")->last().value, 0.125);

  const RunStore tensors = open(folder / "tensors");
  EXPECT_EQ(tensors.metricNames(), (std::vector<std::string>{"scalar/float16", "scalar/float32", "scalar/float64",
                                                             "scalar/int32", "scalar/int64", "second"}));
  for (const char* tag : {"scalar/float16", "scalar/float32", "scalar/float64", "scalar/int32", "scalar/int64"})
    EXPECT_EQ(tensors.series(tag)->last().value, 3.0) << tag;
  EXPECT_EQ(tensors.series("second")->size(), 2u);
}

}  // namespace
}  // namespace roadtune::runs
