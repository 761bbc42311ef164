// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/checkpoint_marker.h"

#include "core/base/hash.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace roadtune::protocol {
namespace {

using testing::TempFolder;

TEST(CheckpointMarker, IsReadAsItWasWritten) {
  const auto read = readMarker(markerText({{"model.safetensors", 12, "ab"}, {"adapter/x.json", 0, "cd"}}), "here");
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().size(), 2u);
  EXPECT_EQ(read.value()[1].name, "model.safetensors");
  EXPECT_EQ(read.value()[1].bytes, 12u);
  EXPECT_EQ(read.value()[1].sha256, "ab");
}

TEST(CheckpointMarker, RefusesWhatItCannotTrust) {
  for (const char* text : {"", "[]", "{\"files\": 3}", "{\"files\": {\"../x\": {\"bytes\": 1, \"sha256\": \"a\"}}}",
                           "{\"files\": {\"/x\": {\"bytes\": 1, \"sha256\": \"a\"}}}", "{\"files\": {\"x\": 3}}",
                           "{\"files\": {\"x\": {\"bytes\": -1, \"sha256\": \"a\"}}}",
                           "{\"files\": {\"x\": {\"bytes\": 1, \"sha256\": 2}}}"}) {
    const auto read = readMarker(text, "r/checkpoint-3");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::BadInput);
    EXPECT_EQ(read.error().where, "r/checkpoint-3");
  }
}

TEST(CheckpointMarker, SaysWhatIsWrongWithACheckpoint) {
  TempFolder folder;
  const auto wrong = [&](Compare compare) { return verifyCheckpoint(folder.path(), compare).error().what; };
  folder.write("a/x", "four");
  folder.write("COMPLETE", markerText({{"a/x", 4, sha256Hex("four")}}));
  EXPECT_TRUE(verifyCheckpoint(folder.path(), Compare::Content).ok());
  folder.write("a/x", "FOUR");
  EXPECT_TRUE(verifyCheckpoint(folder.path(), Compare::Sizes).ok());
  EXPECT_EQ(wrong(Compare::Content), "a/x was altered after it was written");
  folder.write("a/x", "fou");
  EXPECT_EQ(wrong(Compare::Sizes), "a/x has another size than when it was written");
  fs::remove(folder / "a/x");
  EXPECT_EQ(wrong(Compare::Sizes), "the checkpoint lacks a/x");
  fs::remove(folder / "COMPLETE");
  EXPECT_EQ(wrong(Compare::Sizes), "the checkpoint is incomplete: COMPLETE is missing");
}

TEST(CheckpointMarker, DamagedOnesAreKeptSideBySide) {
  TempFolder folder;
  for (const char* name : {"checkpoint-4.damaged", "checkpoint-4.damaged-2"}) {
    folder.write("checkpoint-4/x", name);
    const auto kept = setAsideDamaged(folder / "checkpoint-4");
    ASSERT_TRUE(kept.ok());
    EXPECT_EQ(kept.value(), name);
    EXPECT_EQ(testing::readAll(folder / name / "x"), name);
    EXPECT_FALSE(fs::exists(folder / "checkpoint-4"));
  }
}

TEST(CheckpointMarker, AnIncompleteCheckpointGivesWay) {
  TempFolder folder;
  folder.write("checkpoint-4/half", "x");
  folder.write(".aside/whole", "x");
  ASSERT_TRUE(adoptCheckpoint(folder / ".aside", folder / "checkpoint-4", "text").ok());
  EXPECT_FALSE(fs::exists(folder / "checkpoint-4/half"));
  EXPECT_TRUE(fs::exists(folder / "checkpoint-4/whole"));
  EXPECT_EQ(testing::readAll(folder / "checkpoint-4/COMPLETE"), "text");
  EXPECT_FALSE(fs::exists(folder / ".aside"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "nothing is left aside";
}

}  // namespace
}  // namespace roadtune::protocol
