// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/rank_watch.h"

#include "core/protocol/event_writer.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

namespace roadtune::remote {
namespace {

using ::testing::HasSubstr;

class Watching : public ::testing::Test {
 protected:
  Watching() : m_layout(m_folder.path()) {
    for (int rank = 0; rank < 2; ++rank)
      m_writers.push_back(protocol::EventWriter::open(m_layout.rankEvents(rank), rank).value());
  }
  void event(int rank, const char* kind, std::int64_t step, nlohmann::json body) {
    m_writers[static_cast<std::size_t>(rank)]->write(kind, step, std::move(body));
    m_writers[static_cast<std::size_t>(rank)]->flush();
  }
  void steps(int rank, int count, double seconds, double comm) {
    for (int i = 1; i <= count; ++i)
      event(rank, "step", i, {{"step_s", seconds}, {"anatomy", {{"comm", comm}, {"forward", seconds - comm}}}});
  }
  RankWatch watch(Supervision supervision = {.stallFactor = 10, .stallMinimum = 5, .phaseMinimum = 50}) {
    return RankWatch(m_layout, {.processes = 2, .worldSize = 2}, supervision);
  }

  testing::TempFolder m_folder;
  protocol::RunLayout m_layout;
  std::vector<std::unique_ptr<protocol::EventWriter>> m_writers;
};

TEST_F(Watching, ATrainingRankHasTenMedianStepsAndAtLeastTheMinimum) {
  auto ranks = watch();
  for (int rank : {0, 1}) event(rank, "phase", 0, {{"name", "training"}});
  for (int rank : {0, 1}) steps(rank, 5, 1.0, 0);
  ranks.look(100);
  EXPECT_FALSE(ranks.stall(109, {}).has_value()) << "ten steps are not over";
  event(0, "step", 6, {{"step_s", 1.0}});
  ranks.look(109);
  const auto alarm = ranks.stall(111, {});
  ASSERT_TRUE(alarm.has_value());
  EXPECT_EQ(alarm->rank, 1) << "rank 0 is further";
  EXPECT_THAT(alarm->message, HasSubstr("while training"));
  EXPECT_FALSE(ranks.stall(115, {}).has_value()) << "told once";
  for (int rank : {0, 1}) event(rank, "step", 7, {{"step_s", 1.0}});
  ranks.look(120);
  ASSERT_TRUE(ranks.relief().has_value());
  EXPECT_FALSE(ranks.stalled());
}

TEST_F(Watching, LoadingMayTakeLongerAndAPauseForEver) {
  auto ranks = watch();
  for (int rank : {0, 1}) event(rank, "phase", 0, {{"name", "loading"}});
  ranks.look(100);
  EXPECT_FALSE(ranks.stall(140, {}).has_value());
  EXPECT_TRUE(ranks.stall(151, {}).has_value());
  auto paused = watch();
  for (int rank : {0, 1}) event(rank, "phase", 0, {{"name", "paused"}});
  paused.look(100);
  EXPECT_FALSE(paused.stall(100'000, {}).has_value());
}

TEST_F(Watching, WhoTellsOfProgressGetsOn) {
  auto ranks = watch();
  for (int rank : {0, 1}) event(rank, "phase", 0, {{"name", "evaluating"}});
  ranks.look(100);
  for (const double now : {140.0, 180.0, 220.0}) {
    for (int rank : {0, 1}) event(rank, "progress", 0, {{"name", "evaluating"}, {"done", 10}, {"total", 100}});
    ranks.look(now);
    EXPECT_FALSE(ranks.stall(now + 10, {}).has_value());
  }
  event(0, "heartbeat", 0, {});
  ranks.look(270);
  EXPECT_TRUE(ranks.stall(271, {}).has_value()) << "being alive is not getting on";
}

TEST_F(Watching, WhoWaitsForACheckpointIsNotJudgedByHowLongItTakes) {
  auto ranks = watch();
  for (int rank : {0, 1}) event(rank, "phase", 0, {{"name", "saving"}});
  ranks.look(100);
  for (const double now : {140.0, 180.0, 220.0}) {
    event(0, "progress", 0, {{"name", "saving"}, {"done", 10}, {"total", 100}});  // the other one only waits
    ranks.look(now);
    EXPECT_FALSE(ranks.stall(now + 10, {}).has_value());
  }
  ranks.look(270);
  const auto alarm = ranks.stall(271, {});
  ASSERT_TRUE(alarm.has_value()) << "rank 0 writes nothing any more";
  EXPECT_THAT(alarm->message, HasSubstr("while saving"));
  for (int rank : {0, 1}) event(rank, "phase", 0, {{"name", "training"}});
  ranks.look(280);
  EXPECT_TRUE(ranks.relief().has_value());
}

TEST_F(Watching, TheRankThatDidNotComeToWhereOthersWaitIsBlamed) {
  auto ranks = watch();
  std::vector<protocol::ExchangeLog> logs;
  for (int rank : {0, 1})
    logs.push_back(std::move(protocol::ExchangeLog::create(m_layout.rankExchanges(rank))).value());
  for (int i = 0; i < 6; ++i)
    for (auto& log : logs) log.finish(log.begin("highest", "", 8));
  logs[1].begin("sum", "", 25'200'000);  // the other one never comes
  for (int rank : {0, 1}) event(rank, "phase", 0, {{"name", "training"}});
  for (int rank : {0, 1}) steps(rank, 5, 1.0, 0);
  ranks.look(100);
  const auto alarm = ranks.stall(111, {});
  ASSERT_TRUE(alarm.has_value());
  EXPECT_EQ(alarm->rank, 0) << "though both have made as many steps";
  EXPECT_THAT(alarm->message, HasSubstr("it has not come to the sum no. 7 of 25.2 MB, in which others wait for it"));
  ASSERT_EQ(alarm->exchanges.size(), 2u);
  EXPECT_EQ(alarm->exchanges[0].second.number, 6u);
  EXPECT_FALSE(alarm->exchanges[1].second.finished);
}

TEST_F(Watching, WhoHasHandedFewerExchangesToItsCardIsBlamed) {
  auto ranks = watch();
  std::vector<protocol::ExchangeLog> logs;
  for (int rank : {0, 1})
    logs.push_back(std::move(protocol::ExchangeLog::create(m_layout.rankExchanges(rank))).value());
  for (int i = 0; i < 6; ++i)
    for (auto& log : logs) log.finish(log.begin("sum", "", 8));
  logs[0].finish(logs[0].begin("sum", "", 8));  // in the stream of its card, and waited for with the loss
  for (int rank : {0, 1}) event(rank, "phase", 0, {{"name", "training"}});
  for (int rank : {0, 1}) steps(rank, 5, 1.0, 0);
  ranks.look(100);
  const auto alarm = ranks.stall(111, {});
  ASSERT_TRUE(alarm.has_value());
  EXPECT_EQ(alarm->rank, 1);
  EXPECT_THAT(alarm->message, HasSubstr("it has not come to the sum no. 7"));
}

TEST_F(Watching, WhereAllRanksOfAMachineWaitIsSaid) {
  auto ranks = watch();
  std::vector<protocol::ExchangeLog> logs;
  for (int rank : {0, 1}) {
    logs.push_back(std::move(protocol::ExchangeLog::create(m_layout.rankExchanges(rank))).value());
    logs.back().begin("gather", "shards/0", 4'000);
    event(rank, "phase", 0, {{"name", "training"}});
    steps(rank, 5, 1.0, 0);
  }
  ranks.look(100);
  const auto alarm = ranks.stall(111, {});
  ASSERT_TRUE(alarm.has_value());
  EXPECT_THAT(alarm->message, HasSubstr("waits in the gather no. 1 of 4.0 kB in group shards/0, as do all ranks"));
}

TEST_F(Watching, AZeroFactorNeverLooks) {
  auto ranks = watch({.stallFactor = 0});
  ranks.look(100);
  EXPECT_FALSE(ranks.stall(1e6, {}).has_value());
}

TEST_F(Watching, WaitingForOthersDoesNotMakeAStraggler) {
  auto ranks = watch();
  steps(0, 30, 1.0, 0.5);
  steps(1, 30, 1.0, 0.0);
  ranks.look(1);
  const auto slow = ranks.straggler();
  ASSERT_TRUE(slow.has_value());
  EXPECT_EQ(slow->rank, 1);
  EXPECT_FALSE(ranks.straggler().has_value()) << "told once";
}

TEST_F(Watching, RanksOfLikeSpeedAreFine) {
  auto ranks = watch();
  steps(0, 30, 1.0, 0.1);
  steps(1, 30, 1.0, 0.0);
  ranks.look(1);
  EXPECT_FALSE(ranks.straggler().has_value());
}

}  // namespace
}  // namespace roadtune::remote
