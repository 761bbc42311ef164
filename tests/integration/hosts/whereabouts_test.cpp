// SPDX-License-Identifier: GPL-3.0-or-later
// A run on two machines, started on one that is shut then: a further one finds it, follows it without a gap, stops it.
#include "core/protocol/manifest.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <future>
#include <unistd.h>

namespace roadtune::testing {
namespace {

using ::testing::HasSubstr;

struct WhereaboutsTest : HostRuns {
  // As somebody else at another machine, who has nothing of the run.
  ProgramResult further(const TestNetwork& network, const std::vector<std::string>& words) const {
    return runProgram(prefixed(words), {.environment = {{"ROADTUNE_SSH_CONFIG", network.sshConfig()},
                                                        {"XDG_DATA_HOME", (folder() / "further").string()}},
                                        .timeoutSeconds = 200});
  }
};

TEST_F(WhereaboutsTest, ARunIsFollowedFromAMachineThatDidNotStartIt) {
  TestNetwork network(2);
  const auto empty = further(network, {"runs", "from", "host2"});
  EXPECT_EQ(empty.exitCode, 3) << empty.err;
  EXPECT_THAT(empty.err, HasSubstr("host2"));

  const auto started = roadtune(
      network, trainWords(folder() / "night", 5000, {"--hosts", network.hosts(), "--nproc-per-node", "1", "--detach"}));
  ASSERT_EQ(started.exitCode, 0) << started.err;
  const auto listed = further(network, {"runs", "from", "host2", "--json"});
  ASSERT_EQ(listed.exitCode, 0) << listed.err;
  const auto runs = nlohmann::json::parse(listed.out);
  ASSERT_EQ(runs.size(), 1u) << listed.out;
  EXPECT_EQ(runs[0]["name"], "night");
  EXPECT_EQ(runs[0]["ended"], false);
  EXPECT_EQ(runs[0]["machines"].size(), 2u);

  const auto unknown = further(network, {"runs", "from", "host2", "nigth"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("night"));
  const auto adopted = further(network, {"runs", "from", "host2"});
  ASSERT_EQ(adopted.exitCode, 0) << adopted.err;
  const std::filesystem::path here = adopted.out.substr(0, adopted.out.find('\n'));
  EXPECT_EQ(here, folder() / "further/roadtune/runs/night");
  EXPECT_EQ(further(network, {"runs", "from", "host1"}).out, adopted.out) << "it is here already";

  auto follows = std::async(std::launch::async, [&] { return further(network, {"attach", here.string()}); });
  for (int look = 0; look < 600 && lossesOf(here).size() < 3; ++look) ::usleep(100'000);
  const auto stopped = further(network, {"stop", here.string()});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.err;
  const auto followed = follows.get();
  EXPECT_EQ(followed.exitCode, 0) << followed.err;
  const auto losses = lossesOf(here);
  ASSERT_GE(losses.size(), 3u) << followed.out << followed.err;
  EXPECT_EQ(losses.begin()->first, 1);
  EXPECT_EQ(losses.rbegin()->first, static_cast<std::int64_t>(losses.size())) << "no gap";
  const auto manifest = protocol::readManifest(protocol::RunLayout(here).manifest());
  ASSERT_TRUE(manifest.ok());
  for (const auto& node : manifest.value().nodes)
    EXPECT_EQ(readAll(protocol::RunLayout(here).rankEvents(node.node)),
              readAll(protocol::RunLayout(node.folder).rankEvents(node.node)));
}

}  // namespace
}  // namespace roadtune::testing
