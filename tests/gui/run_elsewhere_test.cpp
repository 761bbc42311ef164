// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on other machines: those that cannot be reached, those whose start was cut; and notices that pass.
#include "core/base/clock.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/fleet_fixture.h"
#include "tests/support/program.h"
#include "tests/support/ssh_server.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/runs_page.h"

#include <QAction>
#include <QDateTime>
#include <QListView>

namespace roadtune::testing {
namespace {

struct RunElsewhere : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    home.write("ssh_config", "Host gpu7\n  HostName 127.0.0.1\n  Port " + std::to_string(freePort()) + "\n");
    qputenv("ROADTUNE_SSH_CONFIG", (home / "ssh_config").string().c_str());
  }
  void TearDown() override {
    StudioTest::TearDown();
    qunsetenv("ROADTUNE_SSH_CONFIG");
  }
  std::filesystem::path folder() const { return home / "runs/far"; }
  void openRun(const QString& language = "en") {
    studio::Options options;
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.run = QString::fromStdString(folder().string());
    options.language = language;
    open(options);
  }
  QString phase() const { return find<widgets::ElidedLabel>("runPhase")->text(); }
};

TEST_F(RunElsewhere, WhatIsKnownOfAMachineThatIsNotReachedIsToldWithItsTime) {
  drawRun({folder(), 400, 0, false, 0, 0.5});
  auto manifest = protocol::readManifest(protocol::RunLayout(folder()).manifest()).value();
  manifest.nodes = {{.node = 0, .host = "gpu7", .address = "gpu7", .folder = "/none", .agentPid = 17}};
  ASSERT_TRUE(protocol::writeManifest(protocol::RunLayout(folder()).manifest(), manifest).ok());
  const QString now = QDateTime::currentDateTime().toString("HH:"), words = "as of " + now;
  openRun();
  ASSERT_TRUE(waitFor([&] { return phase().contains(words) && phase().contains(", gpu7 not reached"); }))
      << phase().toStdString();
  EXPECT_FALSE(phase().contains("no sign of life")) << "nobody knows that";
  const auto* list = find<QListView>("runList")->model();
  ASSERT_TRUE(waitFor([&] { return list->rowCount() == 1; }));
  const auto detail = [&] { return list->index(0, 0).data(widgets::RunListModel::DetailRole).toString(); };
  ASSERT_TRUE(waitFor([&] { return detail().contains(words); })) << detail().toStdString();
  EXPECT_TRUE(window()->runsPage()->notice()->text().startsWith("The link to the run is down"))
      << window()->runsPage()->notice()->text().toStdString();
  studio.reset();
  openRun("de");
  ASSERT_TRUE(waitFor([&] { return phase().contains("Stand " + now) && phase().contains(", gpu7 nicht erreicht"); }))
      << phase().toStdString();
}

TEST_F(RunElsewhere, ARunHereHasNoSuchTime) {
  drawRun({folder(), 400, 0, true, 0, 0.5});
  openRun();
  ASSERT_TRUE(waitFor([&] { return phase().startsWith("finished"); }));
  EXPECT_FALSE(phase().contains("as of"));
}

TEST_F(RunElsewhere, AMachineThatCannotBeCheckedSaysSoWhereItIsChosen) {
  studio::Options options;
  options.page = "fleet";
  open(options);
  QTest::mouseClick(find<QPushButton>("addMachine"), Qt::LeftButton);
  find<QListWidget>("addMachineList")->item(0)->setCheckState(Qt::Checked);
  QTest::mouseClick(find<QPushButton>("addMachineAdd"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return !studio->fleet()->checking(); }));
  QTest::keyClick(window(), Qt::Key_2, Qt::ControlModifier);
  auto* where = find<QComboBox>("whereChoice");
  where->setCurrentIndex(1);
  emit where->activated(1);
  EXPECT_TRUE(find<QCheckBox>("where_gpu7")->text().contains("check failed"))
      << find<QCheckBox>("where_gpu7")->text().toStdString();
}

TEST_F(RunElsewhere, StepsThatAreFastAgainTakeTheirNoticeAway) {
  LiveRun run({folder(), 226, 0, false, 0, 0.5});  // whose step 140 is now
  run.step(80);
  run.step(30, 0.2);
  openRun();
  auto* notice = window()->runsPage()->notice();
  ASSERT_TRUE(waitFor([&] { return notice->text().startsWith("Steps take longer than they did"); }))
      << notice->text().toStdString();
  const QString first = notice->text();
  run.step(10, 0.1);
  ASSERT_TRUE(waitFor([&] { return !notice->text().isEmpty() && notice->text() != first; })) << "as it is now";
  const QString line = window()->findChild<widgets::ElidedLabel*>("verdictText")->text();
  EXPECT_TRUE(line.startsWith(notice->text().section(QLatin1Char('\n'), 0, 0))) << line.toStdString() << "\n"
                                                                                << notice->text().toStdString();
  run.step(60);
  ASSERT_TRUE(waitFor([&] { return notice->text().isEmpty(); })) << notice->text().toStdString();
  run.step(30, 0.2);
  EXPECT_TRUE(waitFor([&] { return notice->text().startsWith("Steps take longer than they did"); }))
      << "and it is told when it happens again";
}

struct CutStart : FleetTest {};

TEST_F(CutStart, TheMachinesAreAskedAndTheRunIsFollowed) {
  if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
  const ProgramOptions here{.environment = {{"ROADTUNE_SSH_CONFIG", network->sshConfig()}}, .timeoutSeconds = 120};
  openOn("runs", 3000);
  studio.reset();
  const std::string run = home / "runs/far";
  const auto started = runProgram({"roadtune", "train", home / "run.yaml", "--hosts", "host1", "--detach"}, here);
  ASSERT_EQ(started.exitCode, 0) << started.err;
  // As if the launcher had been killed before it wrote down who the agent is.
  const auto file = protocol::RunLayout(run).manifest();
  auto manifest = protocol::readManifest(file).value();
  const int agent = static_cast<int>(manifest.nodes[0].agentPid);
  manifest.nodes[0].agentPid = 0;
  manifest.nodes[0].agentSocket.clear();
  ASSERT_TRUE(protocol::writeManifest(file, manifest).ok());
  studio::Options options;
  options.run = QString::fromStdString(run);
  open(options);
  const auto* notice = window()->runsPage()->notice();
  ASSERT_TRUE(waitFor([&] { return notice->text().contains("They were asked now, and the run goes on."); }, 60))
      << notice->text().toStdString();
  EXPECT_EQ(protocol::readManifest(file).value().nodes[0].agentPid, agent);
  find<QAction>("actionStopRunNow")->trigger();
  EXPECT_TRUE(waitFor([&] { return find<widgets::ElidedLabel>("runPhase")->text().startsWith("stopped"); }, 60))
      << find<widgets::ElidedLabel>("runPhase")->text().toStdString();
  EXPECT_EQ(runProgram({"roadtune", "stop", run, "--now"}, here).exitCode, 0);
}

}  // namespace
}  // namespace roadtune::testing
