// SPDX-License-Identifier: GPL-3.0-or-later
// Exported jobs under the real launchers: Slurm with a controller and two nodes, torchrun on two machines.
#include "core/base/clock.h"
#include "core/protocol/event_reader.h"
#include "tests/integration/hosts/host_runs.h"
#include "tests/support/slurm_cluster.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <thread>

namespace roadtune::remote {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::ProgramResult;
using testing::readAll;
using testing::runProgram;
using testing::SlurmCluster;
using testing::TestNetwork;

class ExportedJob : public testing::HostRuns {
 protected:
  std::filesystem::path run() const { return folder() / "run"; }
  const std::map<std::string, std::string> m_programs{{"ROADTUNE_TRAIN", testing::programPath("roadtune-train")}};

  std::filesystem::path exported(const std::string& kind, int steps, std::vector<std::string> more = {}) const {
    const auto script = folder() / (kind + ".sh");
    for (const char* word : {"--nodes", "2", "--export"}) more.emplace_back(word);
    more.push_back(kind);
    more.insert(more.end(), {"--out", script.string()});
    auto words = trainWords(run(), steps, more);
    const auto made = runProgram(prefixed(words));
    EXPECT_EQ(made.exitCode, 0) << made.err;
    return script;
  }
  static ProgramResult say(const std::vector<std::string>& words) {
    return runProgram(prefixed(words), {.timeoutSeconds = 100});
  }
  bool reaches(std::size_t steps) const {
    const double deadline = monotonicSeconds() + 60;
    while (lossesOf(run()).size() < steps) {
      if (monotonicSeconds() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return true;
  }
  // What the same ranks learn when we start them all here ourselves.
  void expectLossesOfThisMachine(int steps, int ranks) const {
    const auto near = say(trainWords(folder() / "near", steps, {"--nproc-per-node", std::to_string(ranks)}));
    ASSERT_EQ(near.exitCode, 0) << near.err;
    const auto here = lossesOf(folder() / "near"), there = lossesOf(run());
    ASSERT_EQ(there.size(), static_cast<std::size_t>(steps));
    for (const auto& [step, loss] : here) EXPECT_NEAR(there.at(step), loss, 1e-3 * loss) << "step " << step;
  }
};

class UnderSlurm : public ExportedJob {
 protected:
  void SetUp() override {
    if (const std::string why = SlurmCluster::absent(); !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_F(UnderSlurm, OneJobOfFourRanksLearnsAsFourRanksHere) {
  TestNetwork network(3);
  const SlurmCluster slurm(network, 3);
  const int job = slurm.submit(exported("slurm", 6, {"--nproc-per-node", "2"}), m_programs);
  ASSERT_TRUE(slurm.ends(job, 90)) << slurm.stateOf(job) << slurm.logs();
  EXPECT_EQ(slurm.stateOf(job), "COMPLETED") << readAll(folder() / ("slurm-" + std::to_string(job) + ".out"));
  EXPECT_EQ(slurm.fieldOf(job, "NumTasks"), "4") << "one job of all ranks, not one for each";
  EXPECT_EQ(slurm.fieldOf(job, "NumNodes"), "2");
  expectLossesOfThisMachine(6, 4);
  const auto shown = nlohmann::json::parse(say({"runs", "show", run().string(), "--json"}).out, nullptr, false);
  EXPECT_EQ(shown.value("state", ""), "finished");
  const auto attached = say({"attach", run().string(), "--progress", "none"});
  EXPECT_EQ(attached.exitCode, 0) << attached.err;
  EXPECT_THAT(attached.out, HasSubstr("finished after 6 of 6 steps"));
}

TEST_F(UnderSlurm, AJobObeysFromOutsideAndGoesOnWhenItIsSubmittedAgain) {
  TestNetwork network(3);
  const SlurmCluster slurm(network, 3);
  const auto script = exported("slurm", 60, {"--nproc-per-node", "1"});
  const int first = slurm.submit(script, m_programs);
  ASSERT_TRUE(reaches(3)) << slurm.logs();
  const auto saved = say({"save", run().string()});
  EXPECT_EQ(saved.exitCode, 0) << saved.err;
  EXPECT_THAT(saved.out, HasSubstr("checkpoint-"));
  const auto stopped = say({"stop", run().string()});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("(host2): no process left"));
  EXPECT_THAT(stopped.out, HasSubstr("(host3): no process left"));
  ASSERT_TRUE(slurm.ends(first, 30));
  const auto before = lossesOf(run()).size();
  ASSERT_LT(before, 60U) << "too quick to be stopped";

  const int second = slurm.submit(script, m_programs);
  ASSERT_TRUE(slurm.ends(second, 90)) << slurm.logs();
  EXPECT_EQ(slurm.stateOf(second), "COMPLETED");
  expectLossesOfThisMachine(60, 2);
}

// What Slurm does before a job's time is up: the signal reaches the ranks, and not the script.
TEST_F(UnderSlurm, TheWarningBeforeTheTimeLimitSavesAndEnds) {
  TestNetwork network(3);
  const SlurmCluster slurm(network, 3);
  const int job = slurm.submit(exported("slurm", 5000, {"--nproc-per-node", "1"}), m_programs);
  ASSERT_TRUE(reaches(3)) << slurm.logs();
  EXPECT_EQ(slurm.run({"scancel", "--signal=TERM", std::to_string(job)}).exitCode, 0);
  ASSERT_TRUE(slurm.ends(job, 60)) << slurm.logs();
  EXPECT_TRUE(protocol::RunLayout(run()).lastCompleteCheckpoint().has_value());
  const auto attached = say({"attach", run().string(), "--progress", "none"});
  EXPECT_THAT(attached.out, HasSubstr("stopped after")) << attached.err;
}

// A rank that dies ends the job, and whoever watches is told which one it was; the other may be killed with it, before
// it can say why it failed.
TEST_F(UnderSlurm, ADeadRankEndsTheJobAndIsNamed) {
  TestNetwork network(3);
  const SlurmCluster slurm(network, 3);
  const int job = slurm.submit(exported("slurm", 5000, {"--nproc-per-node", "1"}), m_programs);
  ASSERT_TRUE(reaches(3)) << slurm.logs();
  const auto events = protocol::EventReader(protocol::RunLayout(run()).rankEvents(1)).poll().valueOr({});
  ASSERT_FALSE(events.empty());
  ASSERT_EQ(::kill(events.front().body["pid"], SIGKILL), 0);
  ASSERT_TRUE(slurm.ends(job, 60)) << slurm.logs();
  EXPECT_EQ(slurm.stateOf(job), "FAILED");
  const auto attached = say({"attach", run().string(), "--progress", "none"});
  EXPECT_EQ(attached.exitCode, 1);
  EXPECT_THAT(attached.err, AllOf(HasSubstr("rank 1 on host3"), HasSubstr("fell silent without a word")));
}

TEST_F(ExportedJob, TheRealTorchrunStartsTheScriptOnTwoMachines) {
  TestNetwork network(2);
  network.nameHosts();
  const std::string bin = folder() / "bin";
  const auto torchrun = folder().write(
      "bin/torchrun", "#!/bin/sh\nexec " ROADTUNE_DEPS_DIR "/python/bin/python -m torch.distributed.run \"$@\"\n");
  std::filesystem::permissions(torchrun, std::filesystem::perms::owner_all);
  const auto script = exported("torchrun", 6, {"--nproc-per-node", "1"});
  std::vector<std::future<ProgramResult>> machines;
  for (int host = 0; host < 2; ++host)
    machines.push_back(std::async(std::launch::async, [&, host] {
      auto environment = m_programs;
      environment["PATH"] = bin + ":" + std::getenv("PATH");
      environment["NODE_RANK"] = std::to_string(host);
      environment["MASTER_ADDR"] = network.address(0);
      return runProgram(network.on(host, {"bash", script.string()}),
                        {.environment = environment, .timeoutSeconds = 100});
    }));
  for (auto& machine : machines) {
    const auto result = machine.get();
    EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
  }
  expectLossesOfThisMachine(6, 2);
  const auto attached = say({"attach", run().string(), "--progress", "none"});
  EXPECT_THAT(attached.out, HasSubstr("finished after 6 of 6 steps")) << attached.err;
}

}  // namespace
}  // namespace roadtune::remote
