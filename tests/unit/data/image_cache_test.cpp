// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/image/image_cache.h"

#include "core/data/image/image.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace roadtune::data {
namespace {

using testing::TempFolder;

constexpr std::size_t kBytes = 48;
constexpr std::uint64_t kNoLimit = 1 << 30;

std::vector<std::uint8_t> picture(int number) {
  return std::vector<std::uint8_t>(kBytes, static_cast<std::uint8_t>(number));
}
ImageKey keyOf(int number) { return imageKey(asBytes("picture " + std::to_string(number))); }

std::unique_ptr<ImageCache> open(const fs::path& folder, std::uint64_t limit = kNoLimit) {
  return openDiskCache(folder, "4-drop", kBytes, limit).value();
}

bool holds(ImageCache& cache, int number) {
  std::vector<std::uint8_t> pixels(kBytes);
  return cache.find(keyOf(number), pixels) && pixels == picture(number);
}

TEST(ImageCache, GivesBackWhatWasStoredAlsoToLaterRuns) {
  const TempFolder folder;
  {
    const auto cache = open(folder.path());
    EXPECT_FALSE(holds(*cache, 1));
    cache->store(keyOf(1), picture(1));
    cache->store(keyOf(2), picture(2));
    cache->store(keyOf(1), picture(1));
    EXPECT_TRUE(holds(*cache, 1));
    EXPECT_EQ(cache->counts().stored, 2u);
  }
  const auto later = open(folder.path());
  EXPECT_TRUE(holds(*later, 1));
  EXPECT_TRUE(holds(*later, 2));
  EXPECT_FALSE(holds(*later, 3));
}

TEST(ImageCache, OtherVariantsAndSizesAreOtherPictures) {
  const TempFolder folder;
  open(folder.path())->store(keyOf(1), picture(1));
  const auto other = openDiskCache(folder.path(), "8-drop", kBytes, kNoLimit).value();
  EXPECT_FALSE(holds(*other, 1));
}

TEST(ImageCache, SeveralWritersShareOneFolder) {
  const TempFolder folder;
  const auto one = open(folder.path()), two = open(folder.path());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        auto& cache = t % 2 ? *one : *two;
        cache.store(keyOf(t * 50 + i), picture(t * 50 + i));
        EXPECT_TRUE(holds(cache, t * 50 + i));
      }
    });
  for (auto& thread : threads) thread.join();
  const auto later = open(folder.path());
  for (int i = 0; i < 250; ++i) EXPECT_TRUE(holds(*later, i)) << i;
}

TEST(ImageCache, TornAndDamagedRecordsAreNotThere) {
  const TempFolder folder;
  {
    const auto cache = open(folder.path());
    for (int i = 0; i < 3; ++i) cache->store(keyOf(i), picture(i));
  }
  for (const auto& entry : fs::directory_iterator(folder.path() / "4-drop")) {
    const auto size = fs::file_size(entry.path());
    fs::resize_file(entry.path(), size - 5);
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size / 3 - 1));
    file.put('x');
  }
  const auto cache = open(folder.path());
  EXPECT_FALSE(holds(*cache, 0));
  EXPECT_TRUE(holds(*cache, 1));
  EXPECT_FALSE(holds(*cache, 2));
  cache->store(keyOf(0), picture(0));
  EXPECT_TRUE(holds(*cache, 0));
}

TEST(ImageCache, StopsGrowingAtItsLimit) {
  const TempFolder folder;
  const auto disk = open(folder.path(), 200);
  const auto memory = makeMemoryCache(100);
  for (ImageCache* cache : {disk.get(), memory.get()}) {
    for (int i = 0; i < 9; ++i) cache->store(keyOf(i), picture(i));
    EXPECT_EQ(cache->counts().stored, 2u);
    EXPECT_TRUE(holds(*cache, 1));
    EXPECT_FALSE(holds(*cache, 8));
  }
}

}  // namespace
}  // namespace roadtune::data
