// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_lock.h"

#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace roadtune {
namespace {

using testing::TempFolder;

TEST(FileLock, OneHolderAtATime) {
  TempFolder folder;
  auto first = tryLock(folder / "a.lock");
  ASSERT_TRUE(first.ok() && first.value());
  EXPECT_FALSE(tryLock(folder / "a.lock").value());
  EXPECT_TRUE(tryLock(folder / "b.lock").value());
  first.value().reset();
  EXPECT_TRUE(tryLock(folder / "a.lock").value());
}

TEST(FileLock, GoesWithItsProcess) {
  TempFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = tryLock(folder / "a.lock");
    [[maybe_unused]] const auto told = ::write(ready[1], "!", 1);
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(tryLock(folder / "a.lock").value());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(waitForLock(folder / "a.lock").ok());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(FileLock, WaitingCanBeGivenUp) {
  TempFolder folder;
  const auto held = tryLock(folder / "a.lock");
  int asked = 0;
  const auto lock = waitForLock(folder / "a.lock", [&] { return ++asked < 3; });
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(asked, 3);
}

TEST(FileLock, SaysWhereItCannotBe) {
  TempFolder folder;
  const auto lock = tryLock(folder / "missing/a.lock");
  ASSERT_FALSE(lock.ok());
  EXPECT_NE(lock.error().where.find("missing/a.lock"), std::string::npos);
}

}  // namespace
}  // namespace roadtune
