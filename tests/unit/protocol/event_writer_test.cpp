// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/event_writer.h"

#include "core/base/text.h"
#include "core/protocol/event_reader.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <thread>
#include <unistd.h>

namespace roadtune::protocol {
namespace {

using testing::readAll;
using testing::TempFolder;
using namespace std::chrono_literals;

std::unique_ptr<EventWriter> openWriter(const fs::path& path, EventWriterOptions options = {}) {
  auto writer = EventWriter::open(path, 0, std::move(options));
  EXPECT_TRUE(writer.ok()) << (writer.ok() ? "" : writer.error().text());
  return std::move(writer).value();
}

std::vector<Event> eventsIn(const fs::path& path) {
  EventReader reader(path);
  auto events = reader.poll();
  EXPECT_TRUE(events.ok());
  EXPECT_EQ(reader.counts().garbage, 0u);
  return std::move(events).value();
}

// A disk that can be filled and emptied, and takes only so many bytes at a time.
struct FakeDisk {
  std::atomic<bool> full{false};
  std::atomic<std::size_t> portion{SIZE_MAX};
  std::atomic<int> refusals{0};

  EventWriterOptions options(std::atomic<int>& troubles) {
    EventWriterOptions options;
    options.retryInterval = 5ms;
    options.flushInterval = 5ms;
    options.onTrouble = [&troubles](const Error&) { ++troubles; };
    options.writeBytes = [this](int fd, const void* bytes, std::size_t size) -> ssize_t {
      if (full) {
        ++refusals;
        errno = ENOSPC;
        return -1;
      }
      return ::write(fd, bytes, std::min(size, portion.load()));
    };
    return options;
  }
};

TEST(EventWriter, NumbersEventsFromZeroAndCreatesFolders) {
  TempFolder folder;
  const auto path = folder / "run/events/rank-000.jsonl";
  {
    auto writer = openWriter(path);
    EXPECT_EQ(writer->firstSequence(), 0u);
    writer->write("hello", 0, {{"pid", 1}});
    writer->write("step", 1, {{"loss", 2.0}});
    writer->write("bye", 1, {{"reason", "finished"}});
  }
  const auto events = eventsIn(path);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, "hello");
  EXPECT_EQ(events[1].seq, 1u);
  EXPECT_EQ(events[2].body["reason"], "finished");
  EXPECT_GT(events[2].t, 1.6e9);
}

TEST(EventWriter, StatusChangesReachTheKernelAtOnceAndStepsSoonAfter) {
  TempFolder folder;
  EventWriterOptions options;
  options.flushInterval = 60s;  // only urgency can be the reason
  auto writer = openWriter(folder / "e.jsonl", options);
  writer->write("step", 1);
  writer->write("phase", 1, {{"name", "saving"}});
  const auto deadline = std::chrono::steady_clock::now() + 5s;
  while (std::filesystem::file_size(folder / "e.jsonl") == 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(1ms);
  EXPECT_EQ(eventsIn(folder / "e.jsonl").size(), 2u);
}

TEST(EventWriter, FlushWaitsForThePatientKindsToo) {
  TempFolder folder;
  EventWriterOptions options;
  options.flushInterval = 60s;
  auto writer = openWriter(folder / "e.jsonl", options);
  for (int i = 0; i < 100; ++i) writer->write("step", i);
  ASSERT_TRUE(writer->flush(5s));
  EXPECT_EQ(eventsIn(folder / "e.jsonl").size(), 100u);
}

TEST(EventWriter, ContinuesTheSequenceOfAnExistingFile) {
  TempFolder folder;
  { openWriter(folder / "e.jsonl")->write("hello", 0); }
  {
    auto writer = openWriter(folder / "e.jsonl");
    EXPECT_EQ(writer->firstSequence(), 1u);
    writer->write("hello", 5);
  }
  const auto events = eventsIn(folder / "e.jsonl");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].seq, 1u);
}

TEST(EventWriter, EndsAPartialLastLineBeforeItGoesOn) {
  TempFolder folder;
  { openWriter(folder / "e.jsonl")->write("hello", 0); }
  const std::string before = readAll(folder / "e.jsonl");
  folder.write("e.jsonl", before + R"({"v":1,"seq":1,"t":17)");
  { openWriter(folder / "e.jsonl")->write("hello", 5); }
  EXPECT_TRUE(startsWith(readAll(folder / "e.jsonl"), before + "{\"v\":1,\"seq\":1,\"t\":17\n"));
  EventReader reader(folder / "e.jsonl");
  const auto events = reader.poll();
  ASSERT_TRUE(events.ok());
  ASSERT_EQ(events.value().size(), 2u);
  EXPECT_EQ(events.value()[1].seq, 1u);
  EXPECT_EQ(reader.counts().garbage, 1u);
}

TEST(EventWriter, CountsALastLineThatOnlyLacksItsNewline) {
  TempFolder folder;
  { openWriter(folder / "e.jsonl")->write("hello", 0); }
  std::string whole = readAll(folder / "e.jsonl");
  whole.pop_back();
  folder.write("e.jsonl", whole);
  { openWriter(folder / "e.jsonl")->write("step", 1); }
  const auto events = eventsIn(folder / "e.jsonl");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].seq, 1u);
}

TEST(EventWriter, NeverWaitsForAFullDiskAndReportsItOnce) {
  TempFolder folder;
  std::atomic<int> troubles{0};
  FakeDisk disk;
  auto options = disk.options(troubles);
  options.queueLimit = 50;
  auto writer = openWriter(folder / "e.jsonl", options);
  disk.full = true;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) writer->write("step", i);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
  while (disk.refusals < 5) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(writer->trouble().has_value());
  EXPECT_GT(writer->droppedCount(), 0u);
  disk.full = false;
  ASSERT_TRUE(writer->flush(5s));
  writer->write("phase", 1000);
  ASSERT_TRUE(writer->flush(5s));
  EXPECT_EQ(troubles, 1);
  EXPECT_FALSE(writer->trouble().has_value());
  const std::uint64_t dropped = writer->droppedCount();
  writer.reset();

  EventReader reader(folder / "e.jsonl");
  const auto events = reader.poll();
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(reader.counts().garbage, 0u);
  EXPECT_EQ(reader.counts().missing, dropped);
  EXPECT_EQ(reader.counts().dropped, dropped);
  const auto tells = [](const Event& event) { return event.kind == "dropped"; };  // once, or in two parts
  const auto others = std::count_if(events.value().begin(), events.value().end(), std::not_fn(tells));
  EXPECT_EQ(static_cast<std::uint64_t>(others) + dropped, 1001u);
}

TEST(EventWriter, FinishesALineThatTheDiskTookInPieces) {
  TempFolder folder;
  std::atomic<int> troubles{0};
  FakeDisk disk;
  disk.portion = 7;
  {
    auto writer = openWriter(folder / "e.jsonl", disk.options(troubles));
    for (int i = 0; i < 20; ++i) writer->write("step", i, {{"loss", i * 0.5}});
    std::this_thread::sleep_for(10ms);
    disk.full = true;
    for (int i = 20; i < 40; ++i) writer->write("step", i);
    std::this_thread::sleep_for(20ms);
    disk.full = false;
  }
  EXPECT_EQ(eventsIn(folder / "e.jsonl").size(), 40u);
}

TEST(EventWriter, GivesUpOnABrokenDiskWhenItGoes) {
  TempFolder folder;
  std::atomic<int> troubles{0};
  FakeDisk disk;
  disk.full = true;
  auto writer = openWriter(folder / "e.jsonl", disk.options(troubles));
  writer->write("bye", 0);
  const auto begin = std::chrono::steady_clock::now();
  writer.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(EventWriter, TakesEventsFromSeveralThreads) {
  TempFolder folder;
  {
    EventWriterOptions options;
    options.queueLimit = 100000;
    auto writer = openWriter(folder / "e.jsonl", options);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 500; ++i) writer->write("metric", i, {{"name", "x"}, {"value", i}});
      });
    for (auto& thread : threads) thread.join();
  }
  const auto events = eventsIn(folder / "e.jsonl");
  ASSERT_EQ(events.size(), 2000u);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].seq, i);
}

TEST(EventWriter, SaysWhyAFileCannotBeOpened) {
  const auto writer = EventWriter::open("/proc/no/such/events.jsonl", 0);
  ASSERT_FALSE(writer.ok());
  EXPECT_NE(writer.error().text().find("/proc/no"), std::string::npos);
}

}  // namespace
}  // namespace roadtune::protocol
