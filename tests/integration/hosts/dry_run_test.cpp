// SPDX-License-Identifier: GPL-3.0-or-later
// A run proved before it starts: with the real trainer, here and on other machines.
#include "core/base/subprocess.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <sstream>
#include <sys/mount.h>

namespace roadtune::remote {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramResult;
using testing::runProgram;
using testing::TestNetwork;

struct DryRunTest : testing::HostRuns {
  // Everything that is proved is in it: adapters, held-out samples, predictions, checkpoints.
  std::vector<std::string> words(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"roadtune", "train", config(), "--dry-run"};
    all.insert(all.end(), {"--set", "output_dir=" + (folder() / "out").string()});
    for (const char* entry :
         {"max_steps=12", "per_device_train_batch_size=2", "eval_fraction=0.25", "eval_strategy=steps", "eval_steps=4",
          "num_probe_samples=2", "gradient_accumulation_steps=2", "save_steps=5", "save_total_limit=2"})
      all.insert(all.end(), {"--set", entry});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  ProgramResult tryIt(const std::vector<std::string>& more = {}) const {
    return runProgram(words(more), {.timeoutSeconds = 150});
  }
  static std::vector<json> proofsOf(const ProgramResult& result) {
    std::vector<json> proofs;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) proofs.push_back(json::parse(line));
    return proofs;
  }
  static std::vector<std::string> namesOf(const std::vector<json>& proofs) {
    std::vector<std::string> names;
    for (const auto& proof : proofs) names.push_back(proof["proof"]);
    return names;
  }
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& item : fs::recursive_directory_iterator(folder().path()))
      names.push_back(item.path().lexically_relative(folder().path()).string());
    return names;
  }
};

TEST_F(DryRunTest, EverythingIsProvedInNumbersAndNothingIsLeft) {
  const auto result = tryIt({"--progress", "json"});
  ASSERT_EQ(result.exitCode, 0) << result.out << result.err;
  const auto proofs = proofsOf(result);
  EXPECT_THAT(namesOf(proofs),
              ElementsAre("samples", "step", "pace", "evaluation", "predictions", "checkpoint", "forecast"));
  for (const auto& proof : proofs) EXPECT_TRUE(proof["ok"]) << proof;
  EXPECT_EQ(proofs[0]["looked"], proofs[0]["of"]) << "few samples: all of them";
  EXPECT_GT(proofs[1]["memory_peak"], 1'000'000);
  EXPECT_GT(proofs[1]["trained"], 10);
  EXPECT_GT(proofs[2]["samples_per_s"], 0);
  EXPECT_GT(proofs[5]["bytes"], 1'000'000) << "weights and moments of the demo's model";
  const auto& forecast = proofs[6];
  EXPECT_EQ(forecast["total_steps"], 12);
  EXPECT_EQ(forecast["evaluations"], 3) << "after 4, 8 and 12 steps";
  EXPECT_EQ(forecast["checkpoints"], 3) << "after 5, 10 and at the end";
  EXPECT_EQ(forecast["kept_checkpoints"], 3) << "two, and the one that is being written";
  EXPECT_EQ(forecast["disk_need"], 3 * proofs[5]["bytes"].get<std::int64_t>());
  EXPECT_THAT(left(), ElementsAre()) << "neither the run's folder nor one of its own";
}

TEST_F(DryRunTest, ThePlanIsForTheLongestSamples) {
  const auto shortened = tryIt({"--progress", "json", "--set", "max_length=80"});
  ASSERT_EQ(shortened.exitCode, 0) << shortened.err;
  const auto whole = tryIt({"--progress", "json"});
  ASSERT_EQ(whole.exitCode, 0) << whole.err;
  const auto tokens = [](const ProgramResult& result) { return proofsOf(result)[0]["tokens"].get<int>(); };
  EXPECT_LE(tokens(shortened), 80);
  EXPECT_GE(tokens(whole), tokens(shortened));
  // Twice two samples, each as long as the longest but for the second one.
  EXPECT_LE(proofsOf(whole)[1]["tokens"].get<int>(), 4 * tokens(whole));
  EXPECT_GT(proofsOf(whole)[1]["tokens"].get<int>(), 3 * tokens(whole));
}

TEST_F(DryRunTest, SeveralRanksProveOneRunAndPeopleReadIt) {
  const auto result = tryIt({"--nproc-per-node", "2", "--set", "sharding=sharded"});
  ASSERT_EQ(result.exitCode, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("✓ Longest samples"));
  EXPECT_THAT(result.out, HasSubstr("✓ Checkpoint       size "));
  EXPECT_THAT(result.out, HasSubstr("The run will work on this machine."));
  EXPECT_THAT(result.out, Not(HasSubstr(" of 12"))) << "it makes other steps than the run";
  EXPECT_THAT(left(), ElementsAre());
}

TEST_F(DryRunTest, ASampleThatWouldStopTheRunIsNamed) {
  const auto result = tryIt({"--set", "max_length=78", "--set", "on_long_sample=stop"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("the sample is longer than max_length by"));
  EXPECT_THAT(result.err, HasSubstr("dry run: " + (folder() / "out-dry-run").string()));
  EXPECT_THAT(left(), Contains("out-dry-run/run.yaml")) << "what failed can be looked at";
  EXPECT_EQ(tryIt().exitCode, 0) << "the next one takes its place";
  EXPECT_THAT(left(), ElementsAre());
}

TEST_F(DryRunTest, ADiskThatWouldFillUpIsFoundAtOnce) {
  const auto disk = folder() / "disk";
  fs::create_directories(disk);
  ASSERT_EQ(::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=60m"), 0);
  const auto result = tryIt(
      {"--set", "output_dir=" + (disk / "out").string(), "--set", "save_steps=1", "--set", "save_total_limit=null"});
  ::umount2(disk.c_str(), MNT_DETACH);
  EXPECT_EQ(result.exitCode, 1) << result.out;
  EXPECT_THAT(result.out, HasSubstr("✓ Checkpoint"));
  EXPECT_THAT(result.out, HasSubstr("✗ The whole run"));
  EXPECT_THAT(result.err, HasSubstr("12 checkpoints of"));
  EXPECT_THAT(result.err, HasSubstr("save_total_limit"));
}

TEST_F(DryRunTest, WhatTheRunIsRefusedForRefusesTheDryRun) {
  folder().write("out/run.yaml", "of another run");
  const auto taken = tryIt();
  EXPECT_EQ(taken.exitCode, 2);
  EXPECT_THAT(taken.err, HasSubstr("output_dir already holds a run"));
  EXPECT_EQ(tryIt({"--detach"}).exitCode, 2);
  EXPECT_EQ(tryIt({"--export", "slurm"}).exitCode, 2);
}

TEST_F(DryRunTest, CtrlCEndsItAndNothingIsLeft) {
  auto command = words();
  command[0] = testing::programPath("roadtune");
  auto program = Subprocess::start({.command = command, .output = Stream::pipe(), .error = Stream::null()});
  ASSERT_TRUE(program.ok()) << program.error().text();
  char first = 0;
  ASSERT_EQ(::read(program.value().output().get(), &first, 1), 1) << "the first proof";
  ::kill(program.value().pid(), SIGINT);
  EXPECT_EQ(program.value().wait().code, 130);
  EXPECT_THAT(left(), ElementsAre());
}

TEST_F(DryRunTest, TwoMachinesProveItTogetherAndAreLeftClean) {
  TestNetwork network(2);
  const auto result = roadtune(network, [&] {
    auto all = words({"--hosts", network.hosts(), "--nproc-per-node", "1"});
    all.erase(all.begin());
    return all;
  }());
  ASSERT_EQ(result.exitCode, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("The run will work on these machines."));
  EXPECT_THAT(left(), ElementsAre());
  for (int host = 0; host < 2; ++host) {
    const auto runs = network.home(host) / ".roadtune" / "runs";
    EXPECT_TRUE(!fs::exists(runs) || fs::is_empty(runs)) << runs;
  }
}

}  // namespace
}  // namespace roadtune::remote
