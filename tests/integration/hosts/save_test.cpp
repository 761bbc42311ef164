// SPDX-License-Identifier: GPL-3.0-or-later
// save on a run elsewhere: one checkpoint for each request, of the moment of the request, and where it lies.
#include "core/base/text.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "remote/agent/process_table.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>

#include <csignal>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::TestNetwork;

struct FarSave : testing::HostRuns {
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

TEST_F(FarSave, EachRequestIsAnsweredByItsOwnCheckpoint) {
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

TEST_F(FarSave, ASecondRequestInTheSameStepIsAnsweredByTheSameCheckpoint) {
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

}  // namespace
}  // namespace roadtune::remote
