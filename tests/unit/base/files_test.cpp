// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include "core/base/mapped_file.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roadtune {
namespace {

using testing::TempFolder;

TEST(Files, WhatIsWrittenIsRead) {
  TempFolder folder;
  const std::string content("line\n\0binary", 12);
  ASSERT_TRUE(writeFileAtomically(folder / "a", content).ok());
  EXPECT_EQ(readFile(folder / "a").value(), content);
}

TEST(Files, ReplacingLeavesNothingBesideTheFile) {
  TempFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "a", "one").ok());
  ASSERT_TRUE(writeFileAtomically(folder / "a", "two").ok());
  EXPECT_EQ(readFile(folder / "a").value(), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
}

TEST(Files, WhoMayReadAFileStaysSoUnlessItIsToBeTheOwnersAlone) {
  const TempFolder folder;
  const auto modeOf = [&](const char* name) { return static_cast<unsigned>(fs::status(folder / name).permissions()); };
  for (const char* name : {"shared", "secret"}) {
    ASSERT_TRUE(writeFileAtomically(folder / name, "one").ok());
    ASSERT_EQ(::chmod((folder / name).c_str(), 0664), 0);
  }
  ASSERT_TRUE(writeFileAtomically(folder / "shared", "two").ok());
  EXPECT_EQ(modeOf("shared"), 0664u);
  ASSERT_TRUE(writeFileAtomically(folder / "secret", "two", kForMe).ok());
  EXPECT_EQ(modeOf("secret"), 0600u) << "as it is from now on";
  ASSERT_TRUE(writeFileAtomically(folder / "new", "one", kForMe).ok());
  ASSERT_TRUE(writeFileAtomically(folder / "new", "two").ok());
  EXPECT_EQ(modeOf("new"), 0600u);
}

TEST(Files, ReplacingFollowsLinks) {
  TempFolder folder;
  fs::create_directory(folder / "sub");
  folder.write("real", "old");
  fs::create_symlink("real", folder / "link");
  fs::create_symlink("../link", folder / "sub/chain");
  fs::create_symlink("sub/new", folder / "dangling");
  ASSERT_TRUE(writeFileAtomically(folder / "sub/chain", "new").ok());
  ASSERT_TRUE(writeFileAtomically(folder / "dangling", "begun").ok());
  EXPECT_TRUE(fs::is_symlink(folder / "link") && fs::is_symlink(folder / "sub/chain"));
  EXPECT_EQ(readFile(folder / "real").value(), "new");
  EXPECT_EQ(readFile(folder / "sub/new").value(), "begun");
}

TEST(Files, PipesDevicesAndFoldersAreNotReplaced) {
  TempFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/null", folder / "null");
  for (const char* name : {"pipe", "null", "."}) {
    const Status written = writeFileAtomically(folder / name, "x");
    ASSERT_FALSE(written.ok()) << name;
    EXPECT_EQ(written.error().kind, ErrorKind::BadInput) << name;
  }
  EXPECT_TRUE(fs::is_fifo(folder / "pipe") && fs::is_symlink(folder / "null"));
  const Status nowhere = writeFileAtomically(folder / "no/file", "x");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().where, (folder / "no").string());
}

TEST(Files, AFileOnTheWayToAFolderIsNamed) {
  TempFolder folder;
  folder.write("file", "");
  for (const char* name : {"file", "file/deep/er"}) {
    const Status made = makeFolders(folder / name);
    ASSERT_FALSE(made.ok()) << name;
    EXPECT_EQ(made.error().kind, ErrorKind::BadInput);
    EXPECT_EQ(made.error().where, (folder / "file").string());
  }
}

TEST(Files, AMissingFileIsBadInputThatNamesThePath) {
  TempFolder folder;
  const auto result = readFile(folder / "nowhere.yaml");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::BadInput);
  EXPECT_NE(result.error().text().find("nowhere.yaml"), std::string::npos);
  EXPECT_NE(result.error().text().find("No such file"), std::string::npos);
}

TEST(Files, AFolderIsNotAFile) {
  TempFolder folder;
  EXPECT_FALSE(readFile(folder.path()).ok());
  EXPECT_FALSE(MappedFile::open(folder.path()).ok());
}

TEST(Files, AFullDiskIsSaidAndTheOldContentStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "mounting a small disk needs root";
  TempFolder folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "this system does not let us mount";
  ASSERT_TRUE(writeFileAtomically(folder / "state", "old").ok());
  const auto result = writeFileAtomically(folder / "state", std::string(1 << 20, 'x'));
  EXPECT_FALSE(result.ok());
  if (!result.ok()) {
    EXPECT_NE(result.error().text().find("No space left"), std::string::npos) << result.error().text();
    EXPECT_FALSE(result.error().hint.empty());
  }
  EXPECT_EQ(readFile(folder / "state").value(), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1)
      << "the part written aside is removed";
  ::umount(folder.path().c_str());
}

TEST(Files, AppendingContinuesAnExistingFile) {
  TempFolder folder;
  folder.write("log", "one\n");
  auto file = AppendFile::open(folder / "log");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().size(), 4u);
  ASSERT_TRUE(file.value().append("two\n").ok());
  EXPECT_EQ(file.value().size(), 8u);
  EXPECT_EQ(readFile(folder / "log").value(), "one\ntwo\n");
}

TEST(Files, AnEmptyFileMapsToNoBytes) {
  TempFolder folder;
  const auto mapped = MappedFile::open(folder.write("empty", ""));
  ASSERT_TRUE(mapped.ok());
  EXPECT_EQ(mapped.value().size(), 0u);
}

TEST(Files, AMapMovesWithItsBytes) {
  TempFolder folder;
  auto mapped = MappedFile::open(folder.write("data", "hello"));
  ASSERT_TRUE(mapped.ok());
  MappedFile other = std::move(mapped).value();
  EXPECT_EQ(other.text(), "hello");
  MappedFile third;
  third = std::move(other);
  EXPECT_EQ(third.text(), "hello");
}

// Of the pages of mapped files in this process, in KB.
std::size_t residentFilePages() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("RssFile:")) return std::stoul(line.substr(8));
  return 0;
}

TEST(Files, AMapLetsGoOfItsPagesAndReadsThemAgain) {
  TempFolder folder;
  constexpr std::size_t kBytes = 32 << 20;
  const auto mapped = MappedFile::open(folder.write("large", std::string(kBytes, 'x')));
  ASSERT_TRUE(mapped.ok());
  const auto count = [&] { return std::count(mapped.value().text().begin(), mapped.value().text().end(), 'x'); };
  EXPECT_EQ(count(), static_cast<std::ptrdiff_t>(kBytes));
  const std::size_t before = residentFilePages();
  mapped.value().letGo();
  EXPECT_LT(residentFilePages() + (kBytes >> 11), before) << "at least half of it";
  EXPECT_EQ(count(), static_cast<std::ptrdiff_t>(kBytes));
}

TEST(Files, NamesThatLeaveTheFolderAreKnown) {
  EXPECT_TRUE(staysBelow("a/b"));
  for (const char* name : {"", "/a", "a/../b", "a//b", "."}) EXPECT_FALSE(staysBelow(name)) << name;
}

}  // namespace
}  // namespace roadtune
