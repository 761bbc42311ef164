// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/queue_order.h"

#include <gtest/gtest.h>

namespace roadtune::policy {
namespace {

using Ids = std::vector<std::int64_t>;

QueuedJob job(std::int64_t id, std::set<std::string> machines = {""}, Ids after = {}) {
  return {.id = id, .machines = std::move(machines), .after = std::move(after)};
}
QueuedJob in(JobState state, QueuedJob one) {
  one.state = state;
  return one;
}

TEST(QueueOrder, OneAfterTheOtherOnOneMachine) {
  auto decision = decideQueue({job(1), job(2)}, 0);
  EXPECT_EQ(decision.start, Ids{1});
  EXPECT_EQ(decision.waits.at(2), "this machine is for job 1");
  decision = decideQueue({in(JobState::Running, job(1)), job(2)}, 0);
  EXPECT_TRUE(decision.start.empty());
  EXPECT_EQ(decideQueue({in(JobState::Finished, job(1)), job(2)}, 0).start, Ids{2});
  EXPECT_EQ(decideQueue({in(JobState::Failed, job(1)), job(2)}, 0).start, Ids{2});
}

TEST(QueueOrder, OtherMachinesAreUsedMeanwhileButNotThoseSomebodyWaitsFor) {
  const auto decision =
      decideQueue({in(JobState::Running, job(1, {"a"})), job(2, {"a", "b"}), job(3, {"b"}), job(4, {"c"})}, 0);
  EXPECT_EQ(decision.start, Ids{4});
  EXPECT_EQ(decision.waits.at(2), "a is for job 1");
  EXPECT_EQ(decision.waits.at(3), "b is for job 2");
}

TEST(QueueOrder, WhatComesAfterWaitsForTheEndAndOnlyForAGoodOne) {
  auto decision = decideQueue({in(JobState::Running, job(1, {"a"})), job(2, {"b"}, {1}), job(3, {"b"})}, 0);
  EXPECT_EQ(decision.start, Ids{3}) << "a job that may not start yet keeps no machine";
  EXPECT_EQ(decision.waits.at(2), "comes after job 1, which is running");
  decision = decideQueue({in(JobState::Failed, job(1, {"a"})), job(2, {"b"}, {1})}, 0);
  EXPECT_TRUE(decision.start.empty());
  EXPECT_EQ(decision.waits.at(2), "comes after job 1, which has failed");
  EXPECT_EQ(decideQueue({job(2, {"b"}, {1})}, 0).start, Ids{2}) << "taken out of the queue";
}

TEST(QueueOrder, FailuresPauseLongerEachTime) {
  QueuedJob failed = job(1);
  failed.notBefore = 100;
  auto decision = decideQueue({failed, job(2)}, 95.5);
  EXPECT_EQ(decision.start, Ids{2});
  EXPECT_EQ(decision.waits.at(1), "is tried again in 5 s");
  EXPECT_EQ(decideQueue({failed, job(2)}, 100).start, Ids{1});
  EXPECT_EQ(pauseAfterFailures(1), 10);
  EXPECT_EQ(pauseAfterFailures(3), 40);
  EXPECT_EQ(pauseAfterFailures(60), 600);
}

TEST(QueueOrder, WhoAsksSomethingHoldsNobodyUp) {
  const std::vector<QueuedJob> jobs{{.id = 1, .machines = {"gpu1"}, .asks = true}, {.id = 2, .machines = {"gpu1"}}};
  const QueueDecision decision = decideQueue(jobs, 0);
  EXPECT_EQ(decision.start, std::vector<std::int64_t>{2});
  EXPECT_TRUE(decision.waits.empty()) << "what it waits for is told by whoever asked";
}

}  // namespace
}  // namespace roadtune::policy
