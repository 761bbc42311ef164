// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/self_led_run.h"

#include "core/protocol/event_writer.h"
#include "core/protocol/run_layout.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <chrono>
#include <unistd.h>

namespace roadtune::remote {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// What ranks under another launcher leave in the folder.
class SelfLed : public ::testing::Test {
 protected:
  SelfLed() {
    fs::create_directories(layout().events());
    fs::create_directories(layout().logs());
    m_folder.write("run.yaml", "max_steps: 3\n");
    age(layout().config(), 300);
  }
  fs::path run() const { return m_folder.path(); }
  protocol::RunLayout layout() const { return protocol::RunLayout(run()); }
  void begin(int rank, const std::string& host) const {
    const auto events = protocol::EventWriter::open(layout().rankEvents(rank), rank);
    events.value()->write("hello", 0, {{"host", host}, {"pid", 1}});
    events.value()->write("step", 1, {{"loss", 1.0}});
  }
  void end(int rank, const std::string& reason, const std::string& message = {}) const {
    const auto events = protocol::EventWriter::open(layout().rankEvents(rank), rank);
    events.value()->write("bye", 1, {{"reason", reason}, {"message", message}, {"exit_code", reason == "failed"}});
  }
  static void age(const fs::path& file, int seconds) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
  }
  testing::TempFolder m_folder;
};

TEST_F(SelfLed, IsWhatHasNeitherManifestNorAgent) {
  begin(0, "a");
  EXPECT_TRUE(isSelfLed(run()));
  m_folder.write("events/node-00.jsonl", "");
  EXPECT_FALSE(isSelfLed(run()));
  fs::remove(layout().nodeEvents(0));
  m_folder.write("manifest.json", "{}");
  EXPECT_FALSE(isSelfLed(run()));
  EXPECT_FALSE(isSelfLed(run() / "elsewhere"));
}

TEST_F(SelfLed, LivesWhileARankWasHeardOfAndHasNotSaidGoodbye) {
  begin(0, "a");
  begin(1, "b");
  EXPECT_TRUE(isAlive(run()));
  end(0, "finished");
  EXPECT_TRUE(isAlive(run())) << "rank 1 has not";
  age(layout().rankEvents(1), 30);
  EXPECT_TRUE(isAlive(run())) << "a shared file system shows its words late";
  age(layout().rankEvents(1), 90);
  EXPECT_FALSE(isAlive(run()));
}

TEST_F(SelfLed, ASilentRankBesideAFailedOneIsGivenUpSooner) {
  begin(0, "a");
  begin(1, "b");
  end(0, "failed", "rank 1 is gone");
  age(layout().rankEvents(1), 30);
  EXPECT_FALSE(isAlive(run()));
}

TEST_F(SelfLed, AJobThatHasOnlyMadeItsFolderIsBeginning) {
  EXPECT_FALSE(isAlive(run())) << "made long ago";
  age(layout().config(), 0);
  EXPECT_TRUE(isAlive(run()));
  EXPECT_TRUE(AgentWatch(run()).poll() == std::nullopt);
  begin(0, "a");
  end(0, "stopped");
  EXPECT_FALSE(isAlive(run()));
}

TEST_F(SelfLed, EndsAsItsRanksSay) {
  begin(0, "a");
  end(0, "stopped");
  EXPECT_EQ(AgentWatch(run()).poll()->reason, "stopped");
  begin(0, "a");  // submitted again
  EXPECT_FALSE(AgentWatch(run()).poll().has_value());
  end(0, "finished");
  EXPECT_EQ(AgentWatch(run()).poll()->reason, "finished");
}

TEST_F(SelfLed, TheFirstFailureWithACauseOfItsOwnIsTold) {
  for (const int rank : {0, 1, 2}) begin(rank, "host" + std::to_string(rank));
  m_folder.write("logs/rank-000.log", "RuntimeError: Connection closed by peer [10.0.0.2]:4242\n");
  m_folder.write("logs/rank-002.log", "the disk caught fire\n");
  end(0, "failed", "Connection closed by peer");
  end(2, "failed", "the disk caught fire");
  age(layout().rankEvents(1), 0);
  end(1, "failed", "Connection closed by peer");
  const auto outcome = AgentWatch(run()).poll();
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->reason, "failed");
  EXPECT_EQ(outcome->firstFailedRank, 2);
  EXPECT_THAT(outcome->message, HasSubstr("rank 2 on host2 failed first: the disk caught fire"));
  EXPECT_EQ(outcome->exitCode, 1);
}

TEST_F(SelfLed, ARankThatWasKilledIsNamed) {
  begin(1, "b");
  begin(0, "a");
  m_folder.write("logs/rank-000.log", "RuntimeError: Connection closed by peer [10.0.0.2]:4242\n");
  end(0, "failed", "Connection closed by peer");
  age(layout().rankEvents(1), 90);
  const auto outcome = AgentWatch(run()).poll();
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->reason, "lost");
  EXPECT_THAT(outcome->message, HasSubstr("rank 1 on b fell silent"));
}

// As Slurm does it: the first death ends the others before they can say a word.
TEST_F(SelfLed, RanksThatWereKilledTogetherAreAllNamed) {
  const auto message = [this] {
    for (const int rank : layout().ranksWithEvents()) age(layout().rankEvents(rank), 90);
    return AgentWatch(run()).poll().value().message;
  };
  begin(0, "a");
  begin(1, "b");
  EXPECT_THAT(message(), HasSubstr("rank 0 on a and rank 1 on b fell silent without a word: they were killed"));
  for (const int rank : {2, 3, 4, 5}) begin(rank, "c");
  EXPECT_THAT(message(), HasSubstr("rank 1 on b, rank 2 on c, rank 3 on c and 2 more fell silent"));
}

TEST_F(SelfLed, TheProofIsTheGoodbyeOfEveryRankByMachine) {
  begin(0, "a");
  begin(1, "b");
  end(0, "stopped");
  const auto proofs = proveGone(run());
  ASSERT_EQ(proofs.size(), 2U);
  EXPECT_EQ(proofs[0].host, "a");
  EXPECT_TRUE(proofs[0].gone);
  EXPECT_EQ(proofs[1].host, "b");
  EXPECT_FALSE(proofs[1].gone);
  EXPECT_THAT(proofs[1].left.at(0), HasSubstr("rank 1 said no goodbye"));
}

TEST_F(SelfLed, WordsGoIntoTheControlFile) {
  EXPECT_FALSE(sendControl(run(), {.word = protocol::ControlWord::Save}).ok()) << "nobody is there";
  begin(0, "a");
  const auto reply = sendControl(run(), {.word = protocol::ControlWord::Save});
  ASSERT_TRUE(reply.ok()) << reply.error().text();
  EXPECT_TRUE(reply.value().ok);
  EXPECT_THAT(testing::readAll(layout().control()), HasSubstr("\"save\""));
}

}  // namespace
}  // namespace roadtune::remote
