// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_feed.h"

#include "app/studio/worker_thread.h"
#include "tests/gui/drawn_run.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <QProcess>
#include <QTest>

#include <csignal>

namespace roadtune::studio {
namespace {

using widgets::RunFramePtr;

// Follows a run as the studio does and keeps the newest frame.
struct Follower {
  explicit Follower(const std::filesystem::path& folder, widgets::PlotRequest request = {}) {
    QObject::connect(thread.worker(), &RunFeed::frameReady, &receiver,
                     [this](const RunFramePtr& frame) { latest = frame; });
    request.columns = 4000;
    request.smoothing = 0;
    thread.post([feed = thread.worker(), folder, request] {
      feed->setRequest(request);
      feed->open(QString::fromStdString(folder.string()));
    });
  }
  bool waitForPoints(std::size_t count) {
    return QTest::qWaitFor([&] { return latest && latest->lossPoints >= count; }, 20000);
  }
  QObject receiver;
  RunFramePtr latest;
  WorkerThread<RunFeed> thread{"follower"};
};

const widgets::CurveData& lossCurve(const widgets::RunFrame& frame) { return frame.plots.at("loss").curves.at(0); }

// Every finite step once and in order, with the value that was written.
void expectWholeCurve(const widgets::RunFrame& frame, int steps, int nanStep) {
  const widgets::CurveData& curve = lossCurve(frame);
  std::vector<double> expected;
  for (int step = 1; step <= steps; ++step) {
    if (step != nanStep) expected.push_back(step);
  }
  ASSERT_EQ(curve.x, expected);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_DOUBLE_EQ(curve.y[i], testing::drawnLoss(static_cast<int>(expected[i])));
  EXPECT_EQ(curve.marks, (std::vector<double>{double(nanStep)}));
}

TEST(RunFeed, ShowsAFinishedRunWhole) {
  testing::TempFolder home;
  testing::DrawnRun run{home / "night-walkers"};
  testing::drawRun(run);
  Follower follower(run.folder);
  ASSERT_TRUE(follower.waitForPoints(400));
  EXPECT_EQ(follower.latest->state, runs::RunState::Finished);
  EXPECT_EQ(follower.latest->name, "night-walkers");
  expectWholeCurve(*follower.latest, 400, run.nanStep);
  EXPECT_TRUE(follower.latest->receipt && follower.latest->receipt->ok);
  EXPECT_FALSE(follower.latest->plots.at("utilization").curves.empty());
  EXPECT_TRUE(follower.latest->config.startsWith("# Night walkers"));
}

TEST(RunFeed, FollowsARunAsItGrows) {
  testing::TempFolder home;
  testing::DrawnRun run{home / "live"};
  testing::LiveRun live(run);
  live.step(20);
  Follower follower(run.folder);
  ASSERT_TRUE(follower.waitForPoints(20));
  live.step(50);
  ASSERT_TRUE(follower.waitForPoints(70));
  expectWholeCurve(*follower.latest, 70, run.nanStep);
  live.step(330);
  live.finish();
  ASSERT_TRUE(QTest::qWaitFor([&] { return follower.latest->state == runs::RunState::Finished; }, 20000));
  expectWholeCurve(*follower.latest, 400, run.nanStep);
}

TEST(RunFeed, PutsMachineReadingsOnTheStepAxis) {
  testing::TempFolder home;
  testing::DrawnRun run{home / "steps"};
  testing::drawRun(run);
  Follower follower(run.folder);
  ASSERT_TRUE(follower.waitForPoints(400));
  const widgets::CurveData& cpu = follower.latest->plots.at("utilization").curves.at(0);
  ASSERT_GE(cpu.x.size(), 390u);
  for (std::size_t i = 1; i < cpu.x.size(); ++i) ASSERT_GE(cpu.x[i], cpu.x[i - 1]);
  EXPECT_NEAR(cpu.x.front(), 1, 1);
  EXPECT_NEAR(cpu.x.back(), 400, 1);
}

TEST(RunFeed, SaysWhatCannotBeRead) {
  testing::TempFolder home;
  Follower follower(home / "nothing-here");
  ASSERT_TRUE(QTest::qWaitFor([&] { return follower.latest != nullptr; }, 5000));
  EXPECT_TRUE(follower.latest->error.contains("nothing-here"));
}

TEST(RunFeed, AKilledStudioLosesNothing) {
  testing::TempFolder home;
  testing::DrawnRun run{home / "survivor"};
  testing::LiveRun live(run);
  live.step(80);
  QProcess studio;
  auto environment = QProcessEnvironment::systemEnvironment();
  environment.insert("QT_QPA_PLATFORM", "offscreen");
  environment.insert("XDG_CONFIG_HOME", QString::fromStdString((home / "config").string()));
  environment.insert("XDG_DATA_HOME", QString::fromStdString((home / "data").string()));
  studio.setProcessEnvironment(environment);
  studio.start(QString::fromStdString(testing::programPath("roadtune-studio")),
               {"--run", QString::fromStdString(run.folder.string())});
  ASSERT_TRUE(studio.waitForStarted(10000));
  QTest::qWait(1500);
  live.step(60);
  QTest::qWait(500);
  ASSERT_EQ(studio.state(), QProcess::Running);
  ::kill(static_cast<pid_t>(studio.processId()), SIGKILL);
  ASSERT_TRUE(studio.waitForFinished(10000));
  live.step(60);
  Follower again(run.folder);
  ASSERT_TRUE(again.waitForPoints(200));
  expectWholeCurve(*again.latest, 200, run.nanStep);
}

}  // namespace
}  // namespace roadtune::studio
