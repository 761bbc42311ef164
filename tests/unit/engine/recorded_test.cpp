// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/recorded.h"

#include "tests/support/temp_folder.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace roadtune::engine {
namespace {

struct Under final : Transfer {
  Under(bool breaks, std::shared_ptr<std::atomic<int>> done)
      : fails(breaks), finished(std::move(done)), number(++begun) {}
  void wait() override {
    if (fails) throw std::runtime_error("the network is gone");
  }
  bool over() override { return *finished >= number; }
  static inline int begun = 0;
  bool fails;
  std::shared_ptr<std::atomic<int>> finished;
  int number;
};

// One of two ranks whose network does nothing, or fails.
struct OneOfTwo final : Communicator {
  bool fails = false;
  std::shared_ptr<std::atomic<int>> finished = std::make_shared<std::atomic<int>>(1000);  // so many transfers are over
  std::unique_ptr<Transfer> under() const { return std::make_unique<Under>(fails, finished); }
  int rank() const override { return 0; }
  int size() const override { return 2; }
  void sum(at::Tensor&) override {}
  void highest(at::Tensor&) override {}
  void barrier() override {}
  std::unique_ptr<Transfer> startSum(at::Tensor) override { return under(); }
  std::unique_ptr<Transfer> startGather(at::Tensor, at::Tensor) override { return under(); }
  std::unique_ptr<Transfer> startExchange(at::Tensor, at::Tensor) override { return under(); }
  std::unique_ptr<Communicator> part(const std::string&, int, int) override { return std::make_unique<OneOfTwo>(); }
};

struct RecordedTest : ::testing::Test {
  std::unique_ptr<Communicator> ranks(bool fails = false, std::shared_ptr<std::atomic<int>> finished = nullptr) {
    Under::begun = 0;
    auto under = std::make_unique<OneOfTwo>();
    under->fails = fails;
    if (finished) under->finished = std::move(finished);
    return recorded(std::move(under),
                    std::make_shared<protocol::ExchangeLog>(std::move(protocol::ExchangeLog::create(file)).value()));
  }
  // A while later, in another thread.
  bool soon(std::uint64_t number, bool finished) const {
    for (int i = 0; i < 1000 && !(last().number == number && last().finished == finished); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return last().number == number && last().finished == finished;
  }
  protocol::Exchange last() const { return protocol::lastExchange(file).value(); }
  roadtune::testing::TempFolder folder;
  std::filesystem::path file = folder / "exchanges/rank-000.bin";
  at::Tensor four = at::zeros({4});
};

TEST_F(RecordedTest, EveryKindIsNumberedWithItsSizeAndGroup) {
  const auto all = ranks();
  all->sum(four);
  EXPECT_EQ(last().text(), "sum no. 1 of 16 B");
  all->barrier();
  EXPECT_EQ(last().text(), "barrier no. 2");
  const auto shards = all->part("shards/0", 0, 2);
  shards->startGather(at::zeros({8}), four)->wait();
  EXPECT_EQ(last().text(), "gather no. 4 of 32 B in group shards/0");
  EXPECT_TRUE(last().finished);
}

TEST_F(RecordedTest, WhatIsUnderWayIsOpenUntilItIsWaitedForOrGivenUp) {
  const auto all = ranks();
  auto first = all->startSum(four);
  auto second = all->startExchange(four, four);
  EXPECT_FALSE(last().finished);
  first->wait();
  EXPECT_EQ(last().number, 2u);
  EXPECT_FALSE(last().finished);
  second.reset();
  EXPECT_TRUE(last().finished) << "nobody waits for it any more";
}

TEST_F(RecordedTest, WhatOnlyTheStreamWaitsForIsOpenUntilItHappened) {
  const auto finished = std::make_shared<std::atomic<int>>(0);
  const auto all = ranks(false, finished);
  for (int i = 0; i < 3; ++i) all->startSum(four)->wait();
  EXPECT_EQ(last().number, 1u);
  EXPECT_FALSE(last().finished);
  *finished = 2;  // the third one hangs
  EXPECT_TRUE(soon(3, false)) << last().text();
  *finished = 3;
  EXPECT_TRUE(soon(3, true));
  all->startSum(four)->wait();
  all->close();
  EXPECT_EQ(last().number, 4u) << "nobody can say that it happened";
}

TEST_F(RecordedTest, WhatFailedStaysOpen) {
  const auto all = ranks(true);
  EXPECT_THROW(all->startSum(four)->wait(), std::runtime_error);
  EXPECT_EQ(last().number, 1u);
  EXPECT_FALSE(last().finished);
}

TEST_F(RecordedTest, ARankAloneIsNotWrittenDown) { EXPECT_EQ(recorded(Communicator::alone(), nullptr)->size(), 1); }

}  // namespace
}  // namespace roadtune::engine
