// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/event_reader.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roadtune::protocol {
namespace {

using testing::TempFolder;

std::string line(std::uint64_t seq, const std::string& kind = "step", const std::string& more = "") {
  return R"({"v":1,"seq":)" + std::to_string(seq) + R"(,"t":)" + std::to_string(1000 + seq) + R"(,"step":)" +
         std::to_string(seq) + R"(,"kind":")" + kind + "\"" + more + "}\n";
}

std::size_t pollCount(EventReader& reader) {
  const auto events = reader.poll();
  EXPECT_TRUE(events.ok()) << (events.ok() ? "" : events.error().text());
  return events.ok() ? events.value().size() : 0;
}

TEST(EventReader, TakesAMissingFileForNotYet) {
  TempFolder folder;
  EventReader reader(folder / "e.jsonl");
  EXPECT_EQ(pollCount(reader), 0u);
  EXPECT_TRUE(reader.atEnd());
  folder.write("e.jsonl", line(0));
  EXPECT_EQ(pollCount(reader), 1u);
}

TEST(EventReader, ReadsOnlyWhatIsNew) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) + line(1));
  EventReader reader(folder / "e.jsonl");
  EXPECT_EQ(pollCount(reader), 2u);
  EXPECT_EQ(pollCount(reader), 0u);
  folder.write("e.jsonl", line(0) + line(1) + line(2));
  const auto events = reader.poll();
  ASSERT_EQ(events.value().size(), 1u);
  EXPECT_EQ(events.value()[0].seq, 2u);
}

TEST(EventReader, WaitsForTheNewlineOfTheLastLine) {
  TempFolder folder;
  const std::string second = line(1);
  for (std::size_t cut = 1; cut < second.size(); ++cut) {
    folder.write("e.jsonl", line(0) + second.substr(0, cut));
    EventReader reader(folder / "e.jsonl");
    ASSERT_EQ(pollCount(reader), 1u) << cut;
    folder.write("e.jsonl", line(0) + second);
    ASSERT_EQ(pollCount(reader), 1u) << cut;
    ASSERT_EQ(reader.counts().garbage, 0u);
  }
}

TEST(EventReader, PassesOverGarbageAndShowsWhereItLies) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) + "Traceback (most recent call last)\n\n" + line(1));
  EventReader reader(folder / "e.jsonl");
  EXPECT_EQ(pollCount(reader), 2u);
  EXPECT_EQ(reader.counts().garbage, 2u);
  const auto notices = reader.takeNotices();
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_EQ(notices[0].kind, ReadNotice::Kind::Garbage);
  EXPECT_EQ(notices[0].offset, line(0).size());
  EXPECT_TRUE(reader.takeNotices().empty());
}

TEST(EventReader, ReportsGapsAndWhatTheWriterSaysOfThem) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) + line(4) + line(5, "dropped", R"(,"count":3)"));
  EventReader reader(folder / "e.jsonl");
  EXPECT_EQ(pollCount(reader), 3u);
  EXPECT_EQ(reader.counts().missing, 3u);
  EXPECT_EQ(reader.counts().dropped, 3u);
  const auto notices = reader.takeNotices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].text, "3 events are missing before number 4");
}

TEST(EventReader, LeavesOutWhatWasThereBefore) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) + line(1) + line(1) + line(0) + line(2));
  EventReader reader(folder / "e.jsonl");
  EXPECT_EQ(pollCount(reader), 3u);
  EXPECT_EQ(reader.counts().duplicates, 2u);
}

TEST(EventReader, GoesOnFromASavedPositionInAnotherProcess) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) + line(1));
  EventReader first(folder / "e.jsonl");
  EXPECT_EQ(pollCount(first), 2u);
  const ReaderPosition saved = first.tell();
  folder.write("e.jsonl", line(0) + line(1) + line(2) + line(3));
  EventReader second(folder / "e.jsonl", saved);
  EXPECT_EQ(pollCount(second), 2u);
  EXPECT_EQ(second.counts().missing, 0u);
}

TEST(EventReader, StartsOverWhenTheFileShrank) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) + line(1) + line(2));
  EventReader reader(folder / "e.jsonl");
  pollCount(reader);
  folder.write("e.jsonl", line(0, "hello"));
  EXPECT_EQ(pollCount(reader), 1u);
  EXPECT_EQ(reader.restarts(), 1u);
}

TEST(EventReader, StartsOverWhenTheFileWasReplacedByALongerOne) {
  TempFolder folder;
  folder.write("e.jsonl", line(0));
  EventReader reader(folder / "e.jsonl");
  pollCount(reader);
  folder.write("e.jsonl", R"({"v":1,"seq":0,"t":99,"kind":"hello"})"
                          "\n" +
                              line(1) + line(2) + line(3));
  EXPECT_EQ(pollCount(reader), 4u);
  EXPECT_EQ(reader.restarts(), 1u);
}

TEST(EventReader, TakesAByteCopyForTheSameFile) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) + line(1));
  EventReader reader(folder / "e.jsonl");
  pollCount(reader);
  folder.write("copy", line(0) + line(1) + line(2));
  std::filesystem::rename(folder / "copy", folder / "e.jsonl");  // a mirror that replaces files
  EXPECT_EQ(pollCount(reader), 1u);
  EXPECT_EQ(reader.restarts(), 0u);
}

TEST(EventReader, RefusesALaterVersionForGood) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) +
                              R"({"v":9,"seq":1,"kind":"hello"})"
                              "\n" +
                              line(2));
  EventReader reader(folder / "e.jsonl");
  for (int i = 0; i < 2; ++i) {
    const auto events = reader.poll();
    ASSERT_FALSE(events.ok());
    EXPECT_NE(events.error().text().find("version 9"), std::string::npos) << events.error().text();
    EXPECT_NE(events.error().text().find("e.jsonl"), std::string::npos);
  }
}

TEST(EventReader, ReadsInPortions) {
  TempFolder folder;
  std::string all;
  for (int i = 0; i < 60000; ++i) all += line(static_cast<std::uint64_t>(i));
  folder.write("e.jsonl", all);
  EventReader reader(folder / "e.jsonl");
  std::size_t events = 0, rounds = 0;
  do {
    const auto part = reader.poll(64 * 1024);
    ASSERT_TRUE(part.ok());
    events += part.value().size();
    ++rounds;
  } while (!reader.atEnd() && rounds < 1000);
  EXPECT_EQ(events, 60000u);
  EXPECT_GT(rounds, 2u);
}

TEST(EventReader, ReadsALineLongerThanItsBuffer) {
  TempFolder folder;
  folder.write("e.jsonl", line(0) + line(1, "warning", R"(,"message":")" + std::string(3 << 20, 'x') + "\"") + line(2));
  EventReader reader(folder / "e.jsonl");
  EXPECT_EQ(pollCount(reader), 3u);
}

TEST(LineFollower, StopsWhereTheVisitorSays) {
  TempFolder folder;
  folder.write("lines", "a\nb\nc\n");
  LineFollower follower(folder / "lines");
  std::vector<std::string> seen;
  const auto untilB = [&](std::string_view text, std::uint64_t) {
    seen.emplace_back(text);
    return text != "b";
  };
  ASSERT_TRUE(follower.poll(untilB).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"a", "b"}));
  ASSERT_TRUE(follower.poll(untilB).ok());
  EXPECT_EQ(seen.back(), "c");
  EXPECT_EQ(follower.position().offset, 6u);
}

TEST(LineFollower, CountsTheBytesOfAnUnfinishedLine) {
  TempFolder folder;
  folder.write("lines", "whole\nhalf");
  LineFollower follower(folder / "lines");
  ASSERT_TRUE(follower.poll([](std::string_view, std::uint64_t) { return true; }).ok());
  EXPECT_EQ(follower.pendingBytes(), 4u);
}

}  // namespace
}  // namespace roadtune::protocol
