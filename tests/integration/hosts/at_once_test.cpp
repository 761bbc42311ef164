// SPDX-License-Identifier: GPL-3.0-or-later
// Two people, or two terminals, that start runs at the same moment.
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>

namespace roadtune::remote {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::TestNetwork;

struct AtOnce : testing::HostRuns {};

TEST_F(AtOnce, TwoRunsOnMachinesThatHadNothingDisturbNoneOfEachOther) {
  TestNetwork network(2);
  const auto one = folder() / "one", other = folder() / "other";
  auto first = roadtuneInBackground(network, trainWords(one, 5, {"--hosts", network.hosts()}));
  auto second = roadtuneInBackground(network, trainWords(other, 5, {"--hosts", network.hosts()}));
  for (auto* run : {&first, &second}) {
    const auto result = run->get();
    EXPECT_EQ(result.exitCode, 0) << result.err;
  }
  EXPECT_EQ(lossesOf(one), lossesOf(other));
  EXPECT_EQ(lossesOf(one).size(), 5u);
}

TEST_F(AtOnce, OneFolderTakesOneRunAndTheOtherIsToldWhy) {
  TestNetwork network(1);
  const auto run = folder() / "run";
  auto first = roadtuneInBackground(network, trainWords(run, 5, {"--hosts", network.hosts()}));
  auto second = roadtuneInBackground(network, trainWords(run, 5, {"--hosts", network.hosts()}));
  const auto one = first.get(), other = second.get();
  EXPECT_EQ(std::min(one.exitCode, other.exitCode), 0) << one.err << other.err;
  EXPECT_EQ(std::max(one.exitCode, other.exitCode), 2) << one.err << other.err;
  const auto& refused = one.exitCode == 0 ? other : one;
  EXPECT_THAT(refused.err,
              AnyOf(HasSubstr("output_dir already holds a run"), HasSubstr("another program is starting a run")));
  EXPECT_EQ(lossesOf(run).size(), 5u);
}

TEST_F(AtOnce, TwoCopiesOfTheSameDataAreOneInTheEnd) {
  TestNetwork network(1);
  network.mountThere(0, std::filesystem::path(config()).parent_path(), "size=400m");
  const std::vector<std::string> words{"fleet", "sync", config(), "--hosts", network.hosts(), "--yes"};
  auto first = roadtuneInBackground(network, words);
  auto second = roadtuneInBackground(network, words);
  const auto one = first.get(), other = second.get();
  EXPECT_EQ(one.exitCode, 0) << one.err;
  EXPECT_EQ(other.exitCode, 0) << other.err;
  const auto looked = roadtune(network, {"fleet", "sync", config(), "--hosts", network.hosts(), "--look", "--json"});
  EXPECT_THAT(looked.out, HasSubstr("\"bytes\": 0")) << looked.out;
}

}  // namespace
}  // namespace roadtune::remote
