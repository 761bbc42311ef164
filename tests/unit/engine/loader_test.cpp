// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loader/batch_loader.h"
#include "core/engine/loader/data_order.h"
#include "core/engine/loop/rank_environment.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <new>
#include <numeric>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace roadtune::engine {
namespace {

using Batches = std::vector<std::vector<std::int64_t>>;

std::vector<std::int64_t> upTo(std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(DataOrder, ShuffleIsAPermutationThatTheSeedAndEpochDecide) {
  auto first = epochOrder(50, true, 42, 0);
  EXPECT_EQ(first, epochOrder(50, true, 42, 0));
  EXPECT_NE(first, epochOrder(50, true, 42, 1));
  EXPECT_NE(first, epochOrder(50, true, 43, 0));
  std::sort(first.begin(), first.end());
  EXPECT_EQ(first, upTo(50));
}

TEST(DataOrder, OneRankKeepsItsShortLastBatch) {
  EXPECT_EQ(rankBatches(upTo(5), {.batchSize = 2}), (Batches{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(rankBatches(upTo(5), {.batchSize = 2, .dropLast = true}), (Batches{{0, 1}, {2, 3}}));
}

TEST(DataOrder, RanksGetEqualSharesFilledUpFromTheStart) {
  EXPECT_EQ(rankBatches(upTo(5), {.batchSize = 2, .worldSize = 2, .rank = 0}), (Batches{{0, 1}, {4, 0}}));
  EXPECT_EQ(rankBatches(upTo(5), {.batchSize = 2, .worldSize = 2, .rank = 1}), (Batches{{2, 3}, {1, 2}}));
  EXPECT_EQ(rankBatches(upTo(5), {.batchSize = 2, .worldSize = 2, .rank = 1, .dropLast = true}), (Batches{{2, 3}}));
  EXPECT_EQ(rankBatches(upTo(1), {.batchSize = 2, .worldSize = 2, .rank = 1}), (Batches{{0, 0}}));
}

Result<EncodedSample> slowSample(std::int64_t index) {
  std::this_thread::sleep_for(std::chrono::milliseconds(index % 3));
  if (index == 5) return failed("broken", "sample 5");
  EncodedSample sample;
  sample.id = std::to_string(index);
  return sample;
}

TEST(BatchLoader, OrderDoesNotDependOnTheNumberOfWorkers) {
  const Batches batches{{3, 1}, {5, 2}, {4}, {0, 6, 7}};
  for (const int workers : {0, 1, 4}) {
    BatchLoader loader(slowSample, batches, {workers, 2 * workers});
    std::vector<std::string> ids;
    std::size_t bad = 0;
    while (loader.remaining() > 0) {
      const auto batch = loader.next();
      for (const auto& sample : batch.samples) ids.push_back(sample.id);
      bad += batch.bad.size();
    }
    EXPECT_EQ(ids, (std::vector<std::string>{"3", "1", "2", "4", "0", "6", "7"})) << workers;
    EXPECT_EQ(bad, 1u);
  }
}

TEST(BatchLoader, WhatIsThrownForASampleLeavesItOutAndForABatchIsSaid) {
  const auto throwing = [](std::int64_t index) -> Result<EncodedSample> {
    if (index == 1) throw std::bad_alloc();
    return slowSample(index);
  };
  for (const int workers : {0, 2}) {
    BatchLoader loader(throwing, {{2, 1, 3}, {4}}, {workers, 2}, [](LoadedBatch& batch) {
      if (batch.samples.size() == 1) throw std::runtime_error("no room");
    });
    const auto first = loader.next(), second = loader.next();
    EXPECT_EQ(first.samples.size(), 2u);
    ASSERT_EQ(first.bad.size(), 1u);
    EXPECT_EQ(first.bad[0].where, "sample 1");
    EXPECT_FALSE(first.failed);
    ASSERT_TRUE(second.failed);
    EXPECT_EQ(second.failed->what, "no room");
    EXPECT_TRUE(second.bad.empty());
  }
}

TEST(BatchLoader, EndsWithoutItsBatchesBeingTaken) {
  BatchLoader loader(slowSample, Batches(100, {1, 2, 3}), {3, 6});
  EXPECT_EQ(loader.next().samples.size(), 3u);
}

TEST(BatchLoader, WorkersKeepToOneCoreEach) {
  const auto threads = [](std::int64_t) -> Result<EncodedSample> {
    EncodedSample sample;
    sample.width = at::get_num_threads();
    return sample;
  };
  const int before = at::get_num_threads();
  BatchLoader loader(threads, {{0}}, {1, 1});
  EXPECT_EQ(loader.next().samples.at(0).width, 1);
  EXPECT_EQ(at::get_num_threads(), before);
}

TEST(BatchLoader, PreparesAsManyBatchesAsMayWait) {
  std::atomic<int> loaded = 0;
  const auto counted = [&](std::int64_t index) -> Result<EncodedSample> {
    ++loaded;
    return slowSample(index);
  };
  BatchLoader loader(counted, Batches(20, {1}), {2, 7});
  const auto reached = [&](int count) {
    for (int i = 0; i < 1000 && loaded < count; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // and no further
    return loaded.load();
  };
  EXPECT_EQ(reached(7), 7);
  (void)loader.next();
  EXPECT_EQ(reached(8), 8);
}

// In a process of its own, which may have little more memory than it has: a few stacks of threads.
TEST(BatchLoader, GoesOnWithAsManyThreadsAsTheSystemGives) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr rlim_t kMore = 64 << 20;
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + kMore;
    const rlimit limit{most, most};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(2);
    BatchLoader loader(slowSample, {{1}, {2}}, {200, 400});
    ::_exit(loader.next().samples.size() + loader.next().samples.size() == 2 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(RankEnvironment, ReadsTorchrunsWordsAndRefusesNonsense) {
  std::map<std::string, std::string> values{
      {"RANK", "3"}, {"WORLD_SIZE", "4"}, {"LOCAL_WORLD_SIZE", "2"}, {"MASTER_PORT", "1234"}};
  const auto lookup = [&](const char* name) { return values.contains(name) ? values.at(name).c_str() : nullptr; };
  const auto good = rankEnvironment(lookup);
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good.value().rank, 3);
  EXPECT_EQ(good.value().localWorldSize, 2);
  values["RANK"] = "4";
  EXPECT_FALSE(rankEnvironment(lookup).ok());
  values["RANK"] = "two";
  EXPECT_FALSE(rankEnvironment(lookup).ok());
}

}  // namespace
}  // namespace roadtune::engine
