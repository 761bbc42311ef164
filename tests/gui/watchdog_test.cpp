// SPDX-License-Identifier: GPL-3.0-or-later
// The watchdog of the window's thread sees what it must, and nothing else.
#include "widgets/common/ui_watchdog.h"

#include <gtest/gtest.h>

#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <atomic>
#include <ctime>
#include <functional>
#include <thread>

namespace roadtune::testing {
namespace {

using widgets::WatchedApplication;

struct WatchdogTest : ::testing::Test {
  // Runs something as an event of an object with a name, and tells what the watchdog saw. A limit of its own: the one
  // of the tests does not hold under sanitizers.
  std::vector<WatchedApplication::Blocked> seen(std::function<void()> work) {
    QTimer timer;
    timer.setObjectName("culprit");
    timer.setSingleShot(true);
    bool done = false;
    QObject::connect(&timer, &QTimer::timeout, [&] {
      work();
      done = true;
    });
    app->setLimit(kLimitMs);
    app->takeBlocked();
    timer.start(0);
    EXPECT_TRUE(QTest::qWaitFor([&] { return done; }));
    QCoreApplication::processEvents();
    auto blocked = app->takeBlocked();
    app->setLimit(0);
    return blocked;
  }
  static void burn(double ms) {
    const auto now = [] {
      timespec time{};
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
    };
    for (const double begin = now(); now() - begin < ms;) {
    }
  }
  // Long enough to be blamed on a machine with more to do than processors, too.
  static constexpr double kLimitMs = 50, kLongWaitMs = 1.5 * kLimitMs * WatchedApplication::kPatience;
  static void waitLong() { std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(kLongWaitMs)); }
  void TearDown() override { app->setLimit(before); }

  WatchedApplication* app = dynamic_cast<WatchedApplication*>(QCoreApplication::instance());
  double before = app->limit();
};

TEST_F(WatchdogTest, WaitingCountsAndIsNamed) {
  const auto blocked = seen([] { waitLong(); });
  ASSERT_EQ(blocked.size(), 1u);
  EXPECT_GE(blocked[0].ms, 0.9 * kLongWaitMs);
  EXPECT_LT(blocked[0].cpuMs, 40);
  EXPECT_EQ(blocked[0].what, "Timer to QTimer culprit");
}

TEST_F(WatchdogTest, WorkCounts) {
  const auto blocked = seen([] { burn(1.5 * kLimitMs * WatchedApplication::kMostSlowness); });
  ASSERT_EQ(blocked.size(), 1u);
  EXPECT_GE(blocked[0].cpuMs, kLimitMs);
}

TEST_F(WatchdogTest, ShortEventsAndLoopsInsideEventsDoNot) {
  EXPECT_TRUE(seen([] { burn(2); }).empty());
  EXPECT_TRUE(seen([] {
                QEventLoop loop;
                QTimer::singleShot(120, &loop, &QEventLoop::quit);
                loop.exec();
              }).empty())
      << "a menu or dialogue answers while it is open";
}

TEST_F(WatchdogTest, WhatBlocksInsideALoopOfAnEventIsSeen) {
  const auto blocked = seen([] {
    QEventLoop loop;
    QTimer::singleShot(10, &loop, [&loop] {
      waitLong();
      loop.quit();
    });
    loop.exec();
  });
  EXPECT_EQ(blocked.size(), 1u);
}

// More threads than the machine has cores: this one waits for its turn, and that is nobody's fault.
TEST_F(WatchdogTest, WaitingForAProcessorDoesNot) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> others;
  for (unsigned i = 0; i < 4 * std::max(1u, std::thread::hardware_concurrency()); ++i)
    others.emplace_back([&stop] {
      while (!stop) {
      }
    });
  const auto blocked = seen([] { burn(20); });
  stop = true;
  for (std::thread& one : others) one.join();
  EXPECT_TRUE(blocked.empty()) << blocked[0].ms;
}

}  // namespace
}  // namespace roadtune::testing
