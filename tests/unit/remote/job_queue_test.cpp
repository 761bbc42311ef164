// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/queue/job_queue.h"

#include "remote/queue/queue_worker.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::remote {
namespace {

using testing::TempFolder;

struct JobQueueTest : ::testing::Test {
  std::int64_t add(const std::string& name) const {
    const auto id = queue.add({.config = name + ".yaml", .text = "seed: 1\n", .folder = "/runs/" + name});
    EXPECT_TRUE(id.ok());
    return id.valueOr(0);
  }
  std::vector<std::string> folders() const {
    std::vector<std::string> all;
    for (const QueueJob& job : queue.jobs().valueOr({})) all.push_back(job.folder.substr(6));
    return all;
  }
  using Names = std::vector<std::string>;
  TempFolder folder;
  JobQueue queue{folder / "queue"};
};

TEST_F(JobQueueTest, AJobThatIsPutBackStandsWhereItStood) {
  add("a"), add("b"), add("c");
  const auto taken = queue.take(2);
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(folders(), (Names{"a", "c"}));
  EXPECT_EQ(queue.putBack(taken.value()).valueOr(0), 2);
  EXPECT_EQ(folders(), (Names{"a", "b", "c"}));
}

TEST_F(JobQueueTest, ANumberThatWasGivenAwayIsNotTakenBack) {
  add("a"), add("b");
  const auto taken = queue.take(2);
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(add("c"), 2);
  EXPECT_EQ(queue.putBack(taken.value()).valueOr(0), 3);
  EXPECT_EQ(folders(), (Names{"a", "b", "c"}));
}

TEST_F(JobQueueTest, AFolderThatAnotherJobWritesIntoIsRefused) {
  add("a");
  const auto taken = queue.take(1);
  ASSERT_TRUE(taken.ok());
  add("a");
  const auto back = queue.putBack(taken.value());
  ASSERT_FALSE(back.ok());
  EXPECT_NE(back.error().text().find("writes into this folder"), std::string::npos) << back.error().text();
}

TEST_F(JobQueueTest, ARunningJobIsNotTaken) {
  add("a");
  ASSERT_TRUE(queue.update(1, [](QueueJob& job) { job.order.state = policy::JobState::Running; }).ok());
  EXPECT_FALSE(queue.take(1).ok());
  EXPECT_EQ(folders(), Names{"a"});
}

TEST_F(JobQueueTest, AQueueNobodyWorksOnIsAtRest) {
  EXPECT_TRUE(QueueWorker::rest(queue).ok());
  EXPECT_FALSE(QueueWorker::holder(queue));
}

}  // namespace
}  // namespace roadtune::remote
