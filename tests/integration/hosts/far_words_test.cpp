// SPDX-License-Identifier: GPL-3.0-or-later
// Words to a run elsewhere: each is answered for itself; a save by a checkpoint of that moment, and where it lies.
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::TestNetwork;

struct FarWords : testing::HostRuns {
  static protocol::ManifestNode node(const std::string& run) {
    return protocol::readManifest(protocol::RunLayout(run).manifest()).value().nodes.at(0);
  }
  static std::int64_t lastStep(const std::string& folder) {
    std::int64_t step = 0;
    protocol::EventReader reader(protocol::RunLayout(folder).rankEvents(0));
    EXPECT_TRUE(reader.pollFlat([&](const protocol::FlatEvent& event) { step = event.step; }).ok());
    return step;
  }
};

TEST_F(FarWords, EachRequestIsAnsweredByItsOwnCheckpoint) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 100000,
                                         {"--hosts", "host1", "--nproc-per-node", "2", "--detach", "--set",
                                          "save_strategy=no", "--set", "save_total_limit=20"}))
                .exitCode,
            0);
  const auto there = node(run);
  for (int i = 0; i < 3; ++i) {
    const std::int64_t asked = lastStep(there.folder);
    const auto saved = roadtune(network, {"save", run});
    ASSERT_EQ(saved.exitCode, 0) << saved.err;
    EXPECT_THAT(saved.out, StartsWith("host1:" + there.folder + "/checkpoint-"));
    const std::string place(trim(saved.out.substr(std::string("host1:").size())));
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(place) / "COMPLETE")) << place;
    const auto step = protocol::checkpointStep(std::filesystem::path(place).filename().string());
    ASSERT_TRUE(step.has_value()) << place;
    EXPECT_GE(*step, asked);
  }
  EXPECT_EQ(roadtune(network, {"stop", run, "--now"}).exitCode, 0);
  EXPECT_THAT(protocol::RunLayout(there.folder).checkpoints(), SizeIs(3));
}

TEST_F(FarWords, ASecondRequestInTheSameStepIsAnsweredByTheSameCheckpoint) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 100000, {"--hosts", "host1", "--detach"})).exitCode, 0);
  ASSERT_EQ(roadtune(network, {"pause", run}).exitCode, 0);
  const auto first = roadtune(network, {"save", run}), second = roadtune(network, {"save", run, "--timeout", "30"});
  EXPECT_EQ(first.exitCode, 0) << first.err;
  EXPECT_EQ(second.exitCode, 0) << second.err;
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(roadtune(network, {"stop", run, "--now"}).exitCode, 0);
}

// What the run told while nobody followed arrives with the answer, and is none.
TEST_F(FarWords, OlderNewsDoNotAnswerPauseAndSet) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 100000, {"--hosts", "host1", "--detach"})).exitCode, 0);
  const auto there = node(run);
  const auto sayThere = [&there](const char* words, const char* kind) {
    std::ofstream(there.folder + "/control", std::ios::app) << words << "\n";
    const double deadline = monotonicSeconds() + 30;
    while (monotonicSeconds() < deadline) {
      for (const auto& event :
           protocol::EventReader(protocol::RunLayout(there.folder).rankEvents(0)).poll().valueOr({}))
        if (event.kind == kind && (event.kind != "phase" || event.body["name"] == "paused")) return true;
      ::usleep(20'000);
    }
    return false;
  };
  ASSERT_TRUE(sayThere("set learning_rate=1e-5", "edit"));
  const auto edited = roadtune(network, {"set", run, "learning_rate=3e-5"});
  EXPECT_EQ(edited.exitCode, 0) << edited.err;
  EXPECT_THAT(edited.out, HasSubstr("learning_rate=3e-05"));

  ASSERT_TRUE(sayThere("pause", "phase"));
  const std::int64_t before = lastStep(there.folder);
  ASSERT_EQ(roadtune(network, {"continue", run}).exitCode, 0);
  ASSERT_TRUE(sayThere("save", "checkpoint"));
  const auto paused = roadtune(network, {"pause", run});
  EXPECT_EQ(paused.exitCode, 0) << paused.err;
  EXPECT_EQ(paused.out, fmt::format("paused at step {}\n", lastStep(there.folder)));
  EXPECT_GT(lastStep(there.folder), before);
  EXPECT_EQ(roadtune(network, {"stop", run, "--now"}).exitCode, 0);
}

}  // namespace
}  // namespace roadtune::remote
