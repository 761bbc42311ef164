// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that take long: how often they tell of it, and after which round all ranks leave them.
#include "core/engine/loop/long_loop.h"

#include "core/protocol/event_reader.h"
#include "tests/support/temp_folder.h"

#include <ATen/ops/maximum.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>

namespace roadtune::engine {
namespace {

using std::chrono::milliseconds;

// Two ranks of one process.
struct Meeting {
  std::barrier<> here{2};
  at::Tensor told[2];
  std::atomic<int> exchanges{0};
};

class OneOfTwo final : public Communicator {
 public:
  OneOfTwo(Meeting& meeting, int rank) : m_meeting(meeting), m_rank(rank) {}
  int rank() const override { return m_rank; }
  int size() const override { return 2; }
  void sum(at::Tensor&) override {}
  void highest(at::Tensor& tensor) override {
    m_meeting.told[m_rank] = tensor.clone();
    m_meeting.here.arrive_and_wait();
    tensor.copy_(at::maximum(m_meeting.told[0], m_meeting.told[1]));
    m_meeting.here.arrive_and_wait();
    ++m_meeting.exchanges;
  }
  void barrier() override {}
  std::unique_ptr<Transfer> startSum(at::Tensor) override { return nullptr; }
  std::unique_ptr<Transfer> startGather(at::Tensor, at::Tensor) override { return nullptr; }
  std::unique_ptr<Transfer> startExchange(at::Tensor, at::Tensor) override { return nullptr; }
  std::unique_ptr<Communicator> part(const std::string&, int, int) override { return nullptr; }

 private:
  Meeting& m_meeting;
  int m_rank;
};

class LongLoops : public ::testing::Test {
 protected:
  std::unique_ptr<Reporter> reporter(int rank = 0) const {
    RankEnvironment environment;
    environment.rank = rank;
    return std::move(Reporter::open(m_layout, environment)).value();
  }
  std::vector<protocol::Event> told(const std::string& kind) const {
    auto events = protocol::EventReader(m_layout.rankEvents(0)).poll().valueOr({});
    std::erase_if(events, [&](const auto& event) { return event.kind != kind; });
    return events;
  }

  testing::TempFolder m_folder;
  protocol::RunLayout m_layout{m_folder.path()};
};

TEST_F(LongLoops, TellOfThemselvesNowAndThenAndShortOnesNever) {
  const auto words = reporter();
  const auto alone = Communicator::alone();
  const auto loop = [&](int rounds) {
    words->phase("evaluating");
    LongLoop evaluation(*words, *alone, "evaluating", 1000, {});
    for (int round = 1; round <= rounds; ++round) {
      EXPECT_TRUE(evaluation.goesOn(round));
      std::this_thread::sleep_for(milliseconds(1));
    }
    words->finish();
  };
  loop(300);
  EXPECT_TRUE(told("progress").empty()) << "in less than ten seconds nothing";
  words->progressEvery(0.1);
  loop(20);
  EXPECT_TRUE(told("progress").empty());
  loop(450);
  const auto events = told("progress");
  ASSERT_GE(events.size(), 2u);
  EXPECT_LE(events.size(), 20u) << "not for every round";
  EXPECT_EQ(events.back().body["name"], "evaluating");
  EXPECT_EQ(events.back().body["total"], 1000);
  EXPECT_LT(events.front().body["done"], events.back().body["done"]);
}

TEST_F(LongLoops, OneRankLeavesAtOnce) {
  const auto words = reporter();
  const auto alone = Communicator::alone();
  bool stop = false;
  LongLoop loop(*words, *alone, "evaluating", 10, [&] { return stop; });
  EXPECT_TRUE(loop.goesOn(1));
  stop = true;
  EXPECT_FALSE(loop.goesOn(2));
}

TEST_F(LongLoops, SeveralRanksLeaveAfterTheSameRoundAndAskEachOtherSeldom) {
  Meeting meeting;
  std::atomic<bool> stop{false};
  int left[2] = {0, 0};
  const auto rank = [&](int number) {
    const auto words = reporter(number);
    OneOfTwo ranks(meeting, number);
    LongLoop loop(*words, ranks, "evaluating", 100'000, [&, number] { return number == 1 && stop; });
    do std::this_thread::sleep_for(milliseconds(number == 0 ? 1 : 2));
    while (loop.goesOn(++left[number]));
  };
  {
    std::jthread first(rank, 0), second(rank, 1);
    std::this_thread::sleep_for(milliseconds(600));
    stop = true;
  }
  EXPECT_EQ(left[0], left[1]);
  EXPECT_GT(left[0], 50);
  EXPECT_LT(meeting.exchanges, 2 * 20) << "of hundreds of rounds";
}

}  // namespace
}  // namespace roadtune::engine
