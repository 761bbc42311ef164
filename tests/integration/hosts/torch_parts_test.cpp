// SPDX-License-Identifier: GPL-3.0-or-later
// What of torch goes to a machine: enough to be loaded there, from wherever it lies, and no more.
#include "remote/launch/joint_progress.h"
#include "remote/transfer/loader_list.h"
#include "remote/transfer/torch_here.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

namespace roadtune::remote {
namespace {

using ::testing::Contains;
using ::testing::Not;

std::vector<std::string> targetsOf(const TorchParts& parts) {
  std::vector<std::string> targets;
  for (const auto& file : parts.files) targets.push_back(file.target);
  return targets;
}

TEST(TorchParts, AMachineWithoutCardsGetsTheHalfForTheProcessor) {
  const auto parts = torchHere(false);
  ASSERT_TRUE(parts.ok()) << parts.error().text();
  EXPECT_THAT(targetsOf(parts.value()), Contains("torch/lib/libtorch_cpu.so"));
  EXPECT_THAT(targetsOf(parts.value()), Contains("torch/lib/libc10.so"));
  EXPECT_THAT(targetsOf(parts.value()), Not(Contains("torch/lib/libtorch_cuda.so")));
  EXPECT_LT(parts.value().bytes(), 600'000'000u);
  EXPECT_FALSE(parts.value().cards);
}

TEST(TorchParts, WhatGoesToAMachineWithCardsFindsItselfAnywhere) {
  if (pluginHere().empty()) GTEST_SKIP() << "no GPU plugin is built";
  const auto parts = torchHere(true);
  ASSERT_TRUE(parts.ok()) << parts.error().text();
  ASSERT_TRUE(parts.value().cards);
  const auto targets = targetsOf(parts.value());
  EXPECT_EQ(targets.back(), "torch/lib/libtorch_cuda.so") << "where it is, all is";
  for (const char* opened : {"nvidia/cudnn/lib/libcudnn_ops.so.9", "nvidia/cudnn/lib/libcudnn_graph.so.9",
                             "nvidia/cu13/lib/libnvrtc.so.13", "nvidia/cu13/lib/libnvrtc-builtins.so.13.0",
                             "nvidia/nccl/lib/libnccl.so.2", "torch/lib/libtorch_cuda_linalg.so"})
    EXPECT_THAT(targets, Contains(opened));
  EXPECT_THAT(targets, Not(Contains("torch/lib/libtorch_python.so")));

  const testing::TempFolder there;
  for (const auto& file : parts.value().files) {
    std::filesystem::create_directories((there / file.target).parent_path());
    std::filesystem::create_symlink(std::filesystem::absolute(file.source), there / file.target);
  }
  for (const char* library :
       {"torch/lib/libtorch_cuda.so", "torch/lib/libtorch_cuda_linalg.so", "nvidia/cudnn/lib/libcudnn_cnn.so.9"}) {
    const auto linked = linkedLibraries(there / library);
    ASSERT_TRUE(linked.ok()) << linked.error().text();
    for (const auto& one : linked.value()) {
      EXPECT_FALSE(one.path.empty()) << library << " misses " << one.name;
      const std::string path = one.path.string();
      if (path.find("/torch/lib/") != std::string::npos || path.find("/nvidia/") != std::string::npos)
        EXPECT_EQ(path.find(there.path().string()), 0u) << library << " finds " << path;
    }
  }
}

TEST(StageOfAll, SumsTheBytesOfOneStageAndEndsAllWhenOneFails) {
  struct Kept : ProgressSink {
    bool report(const Progress& progress) override {
      last = progress;
      return true;
    }
    Progress last;
  } kept;
  StageOfAll all(&kept, "copying torch", 2);
  PartOfStage first(all, 0), second(all, 1);
  EXPECT_TRUE(first.report({"copying torch", 10, 100, "bytes", "a"}));
  EXPECT_TRUE(second.report({"copying torch", 5, 50, "bytes", "b"}));
  EXPECT_TRUE(first.report({"copying torch", 20, 100, "bytes", "a"}));
  EXPECT_EQ(kept.last.done, 25u);
  EXPECT_EQ(kept.last.total, 150u);
  EXPECT_EQ(kept.last.detail, "a");
  EXPECT_TRUE(second.report({"copying", 1, 2, "bytes", "libfmt.so"}));
  EXPECT_EQ(kept.last.total, 2u) << "another stage goes by itself";
  all.stop();
  EXPECT_FALSE(second.report({"copying torch", 6, 50, "bytes", "b"}));
}

}  // namespace
}  // namespace roadtune::remote
