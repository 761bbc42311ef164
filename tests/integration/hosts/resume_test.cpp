// SPDX-License-Identifier: GPL-3.0-or-later
// A run moves between machines: its checkpoint, its events and its settings go with it.
#include "core/base/clock.h"
#include "core/protocol/manifest.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>

#include <thread>

namespace roadtune::remote {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::readAll;
using testing::TestNetwork;

class Moving : public testing::HostRuns {
 protected:
  // Stopped somewhere between its third and its last step.
  void startAndStop(const TestNetwork& network, const std::string& run, const std::string& hosts,
                    const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"--hosts", hosts, "--nproc-per-node", "1", "--detach", "--set", "save_steps=2"};
    for (const auto& entry : more) words.insert(words.end(), {"--set", entry});
    const auto started = roadtune(network, trainWords(run, kSteps, words));
    ASSERT_EQ(started.exitCode, 0) << started.err;
    const double deadline = monotonicSeconds() + 90;
    auto following = roadtuneInBackground(network, {"attach", run, "--progress", "none"});
    while (monotonicSeconds() < deadline && lossesOf(run).size() < 3)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto stopped = roadtune(network, {"stop", run});
    EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
    following.get();
    ASSERT_LT(lossesOf(run).size(), static_cast<std::size_t>(kSteps)) << "too quick to be stopped";
  }
  static constexpr int kSteps = 60;
};

TEST_F(Moving, ARunGoesOnOnOtherMachinesAsIfNothingHadHappened) {
  TestNetwork network(3);
  const std::string run = folder() / "run";
  startAndStop(network, run, "host1,host2");
  const auto shown = roadtune(network, {"runs", "show", run, "--json"});
  EXPECT_THAT(shown.out, HasSubstr("\"place\": \""));
  const auto resumed = roadtune(network, {"resume", run, "--hosts", "host2,host3", "--progress", "none"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.out << resumed.err;
  const auto moved = lossesOf(run);
  ASSERT_EQ(moved.size(), static_cast<std::size_t>(kSteps)) << "every step is there";
  EXPECT_EQ(roadtune(network, {"config", "check", run + "/run.yaml"}).exitCode, 0) << "what it names is here";
  const auto near = roadtune(network, trainWords(folder() / "near", kSteps, {"--nproc-per-node", "2"}));
  ASSERT_EQ(near.exitCode, 0) << near.err;
  for (const auto& [step, loss] : lossesOf(folder() / "near"))
    EXPECT_NEAR(moved.at(step), loss, 2e-3 * loss) << "step " << step;

  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(manifest.value().attempt, 2);
  ASSERT_EQ(manifest.value().nodes.size(), 2u);
  EXPECT_EQ(manifest.value().nodes[0].address, "host2");
  for (int rank = 0; rank < 2; ++rank) {
    const protocol::RunLayout here(run), there(manifest.value().nodes[static_cast<std::size_t>(rank)].folder);
    EXPECT_EQ(readAll(here.rankEvents(rank)), readAll(there.rankEvents(rank))) << "events of rank " << rank;
  }
  // The last checkpoint is brought here at the end, and commands take it from there.
  EXPECT_TRUE(std::filesystem::exists(protocol::RunLayout(run).checkpoint(kSteps) / "COMPLETE"));
}

TEST_F(Moving, ADamagedCheckpointFarAwayIsKeptAsideThere) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  startAndStop(network, run, "host1", {"finetuning_type=lora", "target_modules=[q_proj,v_proj]", "save_total_limit=3"});
  for (const auto& one : protocol::RunLayout(run).checkpoints()) std::filesystem::remove_all(one.path);
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  const protocol::RunLayout there(manifest.value().nodes[0].folder);
  ASSERT_GE(there.checkpoints().size(), 2u);
  const auto damaged = there.lastCompleteCheckpoint()->path;
  const auto before = there.checkpoints()[there.checkpoints().size() - 2].path.filename().string();
  folder().write("run/" + before + "/COMPLETE", "{");  // a copy here is damaged, too; that over there is whole
  std::filesystem::resize_file(damaged / "adapter_model.safetensors", 100);
  const auto resumed = roadtune(network, {"resume", run, "--progress", "bar"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.out << resumed.err;
  EXPECT_THAT(resumed.err,
              HasSubstr(damaged.filename().string() + " is damaged (adapter_model.safetensors has another"));
  EXPECT_THAT(resumed.err, HasSubstr("kept as host1:" + damaged.string() + ".damaged"));
  EXPECT_TRUE(std::filesystem::exists(damaged.string() + ".damaged/COMPLETE"));
  EXPECT_THAT(resumed.err, HasSubstr(before + " is damaged (COMPLETE cannot be read)"));
  EXPECT_THAT(resumed.err, HasSubstr("continued from host1:" + (there.root() / before).string()));
  EXPECT_EQ(lossesOf(run).size(), static_cast<std::size_t>(kSteps));
}

TEST_F(Moving, ARunGoesOnThoughTheAdapterThatItBeganWithIsGone) {
  TestNetwork network(1);
  const std::filesystem::path first = folder() / "first";
  const std::vector<std::string> lora{"--nproc-per-node",     "1",     "--set",
                                      "finetuning_type=lora", "--set", "target_modules=[q_proj]"};
  ASSERT_EQ(roadtune(network, trainWords(first, 1, lora)).exitCode, 0);
  const std::string run = folder() / "run";
  startAndStop(network, run, "host1",
               {"finetuning_type=lora", "adapter_name_or_path=" + (first / "checkpoint-1").string(), "max_restarts=1"});
  std::filesystem::remove_all(first);
  const auto resumed = roadtune(network, {"resume", run, "--progress", "none"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.out << resumed.err;
  EXPECT_EQ(lossesOf(run).size(), static_cast<std::size_t>(kSteps));
  EXPECT_EQ(roadtune(network, {"config", "check", run + "/run.yaml"}).exitCode, 0) << "its checkpoint is here";
}

TEST_F(Moving, ARunComesHomeAndItsCheckpointsCanBeFetched) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  startAndStop(network, run, "host1",
               {"finetuning_type=lora", "target_modules=[q_proj,v_proj]", "save_total_limit=100"});
  const protocol::RunLayout layout(run);
  for (const auto& one : layout.checkpoints()) std::filesystem::remove_all(one.path);
  const auto places = roadtune(network, {"runs", "show", run, "--json"});
  EXPECT_THAT(places.out, HasSubstr("\"place\": \"host1:"));
  const auto fetched = roadtune(network, {"fetch", run});
  EXPECT_EQ(fetched.exitCode, 0) << fetched.err;
  EXPECT_TRUE(layout.lastCompleteCheckpoint().has_value());
  const auto merged = roadtune(network, {"merge", "--model", model(), "--adapter", run, "--out", folder() / "merged"});
  EXPECT_EQ(merged.exitCode, 0) << merged.out << merged.err;
  const auto refused = testing::runProgram(
      prefixed({"resume", run, "--here", "--progress", "none"}),
      {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()}, {"ROADTUNE_AGENT_OPTIONS", "--no-such-word"}}});
  EXPECT_NE(refused.exitCode, 0) << refused.out;
  EXPECT_EQ(protocol::readManifest(layout.manifest()).value().nodes.at(0).address, "host1") << "it is still there";
  const auto resumed = roadtune(network, {"resume", run, "--here", "--progress", "none"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.out << resumed.err;
  EXPECT_EQ(lossesOf(run).size(), static_cast<std::size_t>(kSteps));
  EXPECT_THAT(resumed.out, HasSubstr("finished"));

  network.cable(0, false);
  const auto cut = roadtune(network, {"fetch", run, "--all"});
  EXPECT_EQ(cut.exitCode, 1) << cut.out;
  EXPECT_THAT(cut.err, HasSubstr("where the run was before cannot be asked"));
  network.cable(0, true);
  const auto shown = roadtune(network, {"runs", "show", run});
  EXPECT_THAT(shown.out, ContainsRegex("checkpoint-2 .*at host1:.*/checkpoint-2; roadtune fetch --step 2 brings it"));
  const auto old = roadtune(network, {"fetch", run, "--step", "2"});
  EXPECT_EQ(old.exitCode, 0) << old.err;
  EXPECT_TRUE(std::filesystem::exists(layout.checkpoint(2) / "COMPLETE"));
  const auto all = roadtune(network, {"fetch", run, "--all"});
  EXPECT_EQ(all.exitCode, 0) << all.err;
  EXPECT_THAT(roadtune(network, {"runs", "show", run}).out, Not(HasSubstr("brings it")));
}

}  // namespace
}  // namespace roadtune::remote
