// SPDX-License-Identifier: GPL-3.0-or-later
// The real trainer, killed and started again by its agent.
#include "tests/integration/launch/launched_run.h"
#include "tests/support/made_data.h"

#include <gmock/gmock.h>

#include <csignal>

namespace roadtune::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST_F(LaunchedRun, WhatWasSetWhileItWentOnStaysWhenItsAgentStartsItAgain) {
  if (!fs::exists(programPath("roadtune-train"))) GTEST_SKIP() << "this build has no trainer (ROADTUNE_ENGINE is off)";
  variable("ROADTUNE_TRAINER", programPath("roadtune-train"));
  fs::remove_all(folder() / "model");
  prepareDemo(folder().path());
  folder().write("run.yaml",
                 "model_name_or_path: model\noutput_dir: out\ntrain_data: index\ntask: detect\n"
                 "classes: [vehicle, pedestrian, cyclist]\nmax_steps: 100000\nper_device_train_batch_size: 1\n"
                 "save_strategy: steps\nsave_steps: 10\nmax_restarts: 1\ndevice: cpu\ntorch_num_threads: 1\n");
  const auto started = roadtune({"train", config(), "--detach"});
  ASSERT_EQ(started.exitCode, 0) << started.err;
  ASSERT_TRUE(eventually([this] { return last(rankEvents(), "checkpoint").has_value(); }));
  const auto set = roadtune({"set", run().string(), "save_steps=7", "max_grad_norm=0.5"});
  ASSERT_EQ(set.exitCode, 0) << set.err;
  const auto killed = static_cast<pid_t>(last(rankEvents(), "hello")->body["pid"]);
  ::kill(killed, SIGKILL);
  const auto goesOn = [&] {
    const auto edit = last(rankEvents(), "edit"), hello = last(rankEvents(), "hello");
    return hello->body["pid"] != killed && edit->seq > hello->seq;
  };
  ASSERT_TRUE(eventually(goesOn)) << readAll(layout().rankLog(0));
  const auto edit = last(rankEvents(), "edit");
  EXPECT_EQ(edit->body["save_steps"], 7);
  EXPECT_EQ(edit->body["max_grad_norm"], 0.5);
  const auto next = edit->step - edit->step % 7 + 7;
  EXPECT_TRUE(eventually([&] { return fs::exists(layout().checkpoint(next) / "COMPLETE"); }));
  EXPECT_EQ(roadtune({"stop", run().string(), "--now"}).exitCode, 0);
}

}  // namespace
}  // namespace roadtune::testing
