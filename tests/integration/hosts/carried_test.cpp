// SPDX-License-Identifier: GPL-3.0-or-later
// What a run elsewhere leaves behind comes home: losses of samples, curves, predictions, results and the best model.
#include "core/base/clock.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/manifest.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>

#include <unistd.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::readAll;
using testing::TestNetwork;

class Carried : public testing::HostRuns {
 protected:
  static constexpr int kSteps = 40;
  // The larger the loss the better: the first evaluation is the best one, and its checkpoint is not the newest.
  static std::vector<std::string> bestWords(const std::string& run, const std::string& host) {
    std::vector<std::string> more{"--hosts", host, "--nproc-per-node", "1"};
    for (const char* entry :
         {"save_steps=2", "eval_fraction=0.3", "eval_strategy=steps", "eval_steps=2", "load_best_model_at_end=true",
          "metric_for_best_model=loss", "greater_is_better=true", "save_total_limit=1"})
      more.insert(more.end(), {"--set", entry});
    return trainWords(run, kSteps, more);
  }
  static void stopAfterFourSteps(const TestNetwork& network, const std::string& run) {
    auto words = bestWords(run, "host1");
    words.push_back("--detach");
    const auto started = roadtune(network, words);
    ASSERT_EQ(started.exitCode, 0) << started.err;
    auto following = roadtuneInBackground(network, {"attach", run, "--progress", "none"});
    for (const double deadline = monotonicSeconds() + 90; monotonicSeconds() < deadline && lossesOf(run).size() < 5;)
      ::usleep(50'000);
    const auto stopped = roadtune(network, {"stop", run, "--now"});
    EXPECT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
    following.get();
    ASSERT_LT(lossesOf(run).size(), static_cast<std::size_t>(kSteps)) << "too quick to be stopped";
  }
  static std::int64_t bestStep(const std::string& run) {
    std::int64_t step = 0;
    protocol::EventReader events(protocol::RunLayout(run).rankEvents(0));
    EXPECT_TRUE(events
                    .pollFlat([&step](const protocol::FlatEvent& event) {
                      if (event.kind == "best") step = event.members.integerOr("best_step", 0);
                    })
                    .ok());
    return step;
  }
};

TEST_F(Carried, TheBestModelGoesAlongAndComesHome) {
  TestNetwork network(2);
  const std::string run = folder() / "run";
  stopAfterFourSteps(network, run);
  if (HasFatalFailure()) return;
  const auto resumed = roadtune(network, {"resume", run, "--hosts", "host2", "--progress", "none"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.out << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("there is no best/")));
  const auto best = protocol::RunLayout(run).best();
  EXPECT_TRUE(std::filesystem::exists(best / "COMPLETE"));
  std::error_code code;
  EXPECT_GT(std::filesystem::file_size(best / "model.safetensors", code), 0u) << code.message();
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest()).value();
  EXPECT_EQ(manifest.nodes.at(0).address, "host2");
  const auto there = protocol::RunLayout(manifest.nodes.at(0).folder);
  EXPECT_EQ(readAll(best / "COMPLETE"), readAll(there.best() / "COMPLETE"));
}

TEST_F(Carried, ABestModelThatIsLostIsSaid) {
  TestNetwork network(2);
  const std::string run = folder() / "run";
  stopAfterFourSteps(network, run);
  if (HasFatalFailure()) return;
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest()).value();
  std::filesystem::remove_all(protocol::RunLayout(manifest.nodes.at(0).folder).checkpoint(2));
  std::filesystem::remove_all(protocol::RunLayout(run).checkpoint(2));
  const auto resumed = roadtune(network, {"resume", run, "--hosts", "host2", "--progress", "none"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.out << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("warning: there is no best/"));
}

TEST_F(Carried, WhatTheRanksWroteLiesHereAtTheEnd) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  const auto trained = roadtune(network, bestWords(run, "host1"));
  ASSERT_EQ(trained.exitCode, 0) << trained.out << trained.err;
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest()).value();
  const protocol::RunLayout here(run), there(manifest.nodes.at(0).folder);
  const auto samples = roadtune(network, {"runs", "samples", run});
  EXPECT_EQ(samples.exitCode, 0) << samples.err;
  int curves = 0;
  std::error_code code;
  for (const auto& folder : {there.ledger(), there.provenance(), there.tensorboard(), there.predictions()})
    for (const auto& file : std::filesystem::directory_iterator(folder, code)) {
      const auto copy = std::filesystem::path(run) / std::filesystem::relative(file.path(), there.root());
      EXPECT_EQ(readAll(copy), readAll(file.path())) << copy;
      curves += folder == there.tensorboard();
    }
  EXPECT_GE(curves, 1);
  EXPECT_EQ(readAll(here.allResults()), readAll(there.allResults()));
  EXPECT_EQ(readAll(here.rankLedger(0)), readAll(there.rankLedger(0)));
  EXPECT_EQ(bestStep(run), 2);

  // What is gone here comes again when somebody looks after the end.
  for (const auto& gone : {here.ledger(), here.predictions(), here.best(), here.allResults()})
    std::filesystem::remove_all(gone);
  const auto none = roadtune(network, {"runs", "samples", run});
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_THAT(none.err, HasSubstr("roadtune attach"));
  EXPECT_EQ(roadtune(network, {"attach", run, "--progress", "none"}).exitCode, 0);
  EXPECT_EQ(readAll(here.rankLedger(0)), readAll(there.rankLedger(0)));
  EXPECT_TRUE(std::filesystem::exists(here.best() / "COMPLETE"));
  EXPECT_EQ(readAll(here.allResults()), readAll(there.allResults()));
}

TEST_F(Carried, ARunThatNobodyFollowsIsShownAsItWasWithTheTime) {
  TestNetwork network(1);
  const std::string run = folder() / "run";
  ASSERT_EQ(roadtune(network, trainWords(run, 100000, {"--hosts", "host1", "--detach"})).exitCode, 0);
  for (const char* command : {"show", "ls"}) {
    const auto shown = roadtune(network, {"runs", command, run});
    EXPECT_THAT(shown.out + shown.err, HasSubstr("as of ")) << command;
    EXPECT_THAT(shown.out + shown.err, HasSubstr("`roadtune attach ")) << command;
    EXPECT_THAT(roadtune(network, {"runs", command, run, "--json"}).out, HasSubstr("\"as_of\": 1")) << command;
  }
  EXPECT_THAT(roadtune(network, {"doctor", run}).out, HasSubstr("brings it up to date"));
  EXPECT_EQ(roadtune(network, {"stop", run, "--now"}).exitCode, 0);
  EXPECT_THAT(roadtune(network, {"runs", "show", run}).out, Not(HasSubstr("as of ")));
}

TEST_F(Carried, ARunThatWasStartedAgainIsNotSaidToHaveEnded) {
  TestNetwork network(2);
  const std::string run = folder() / "run";
  stopAfterFourSteps(network, run);
  for (const char* command : {"show", "ls"})
    EXPECT_THAT(roadtune(network, {"runs", command, run}).out, HasSubstr("stopped"));
  const auto resumed = roadtune(network, {"resume", run, "--hosts", "host2", "--detach"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.err;
  for (const char* command : {"show", "ls"}) {
    const auto shown = roadtune(network, {"runs", command, run});
    EXPECT_THAT(shown.out, HasSubstr("running")) << shown.err;
    EXPECT_THAT(shown.out, Not(HasSubstr("stopped")));
    EXPECT_THAT(shown.out + shown.err, HasSubstr("as of "));
  }
  EXPECT_THAT(roadtune(network, {"doctor", run}).out, Not(HasSubstr("stopped")));
  roadtune(network, {"attach", run, "--progress", "none"});
  EXPECT_EQ(roadtune(network, {"stop", run, "--now"}).exitCode, 0);
  EXPECT_THAT(roadtune(network, {"runs", "ls", run}).out, Not(HasSubstr("running")));
}

TEST_F(Carried, LossesOfARunThatMovedAreOneLedger) {
  TestNetwork network(2);
  const std::string run = folder() / "run";
  stopAfterFourSteps(network, run);
  if (HasFatalFailure()) return;
  ASSERT_EQ(roadtune(network, {"resume", run, "--hosts", "host2", "--progress", "none"}).exitCode, 0);
  const std::string ledger = readAll(protocol::RunLayout(run).rankLedger(0));
  EXPECT_THAT(ledger, HasSubstr("\"resumed_from\":"));
  EXPECT_THAT(ledger, HasSubstr("\"step\":1,"));
  EXPECT_THAT(ledger, HasSubstr("\"step\":" + std::to_string(kSteps) + ","));
}

}  // namespace
}  // namespace roadtune::remote
