// SPDX-License-Identifier: GPL-3.0-or-later
// Other machines from the window: real sshd in network namespaces, driven by mouse and keys.
#include "app/studio/host_sample.h"
#include "app/studio/run_document.h"
#include "remote/queue/job_queue.h"
#include "tests/gui/fleet_fixture.h"
#include "tests/support/program.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/notice_bar.h"
#include "widgets/frame/question_panel.h"
#include "widgets/frame/status_strip.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/fleet/machine_tile.h"
#include "widgets/panels/fleet/preflight_model.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeView>

namespace roadtune::testing {
namespace {

const char* const kFirstLook =
    "host gpu1\nos \"Debian GNU/Linux 12 (bookworm)\"\ncpuname  AMD EPYC 9654\ncores 192\ncpu  100 0 100 700 100 0 0 0 "
    "0 0\nload 3.20 2.1 1.0 1/900 77\n"
    "memtotal 1000000 kB\nmemfree 250000 kB\ndf /dev/sda1 2000000 500000 1500000 25% /home\nnet 1000 2000\ndisk 0 "
    "512\ndriver 580.65\n"
    "gpu 0, NVIDIA H200, 37, 1024, 143771, 121.5, 40, GPU-a\ngpu 1, NVIDIA H200, [N/A], 0, 143771, [N/A], 41, GPU-b\n"
    "app GPU-a, 4711, 900, /opt/roadtune/bin/roadtune-train\napp GPU-b, 4711, 100, /opt/roadtune/bin/roadtune-train\n"
    "app GPU-b, 815, [N/A], /usr/bin/python3\napp GPU-a, 99, 12, [Not Found]\n"
    "proc 815|bob|2048|python3|\nproc 4711|alice|1024|roadtune-train|/home/alice/runs/night walkers\n";
const char* const kSecondLook = "cpu  150 0 150 750 150 0 0 0 0 0\nnet 3000 2000\ndisk 0 1024\n";

TEST(HostSample, ReadsWhatAMachineSaysOfItself) {
  studio::HostCounters counters;
  const auto first = studio::parseHostSample(kFirstLook, 10, counters);
  EXPECT_EQ(first.host, "gpu1");
  EXPECT_EQ(first.system, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(first.processor, "AMD EPYC 9654");
  EXPECT_EQ(first.cores, 192);
  EXPECT_DOUBLE_EQ(first.load, 3.2);
  EXPECT_EQ(first.memoryUsed, 750000u * 1024);
  EXPECT_EQ(first.diskFree, 1500000u * 1024);
  EXPECT_EQ(first.driver, "580.65");
  ASSERT_EQ(first.gpus.size(), 2u);
  EXPECT_EQ(first.gpus[0].utilization, 37);
  EXPECT_EQ(first.gpus[0].memoryTotal, 143771ull << 20);
  EXPECT_FALSE(first.gpus[1].utilization) << "what is not told is not zero";
  ASSERT_EQ(first.processes.size(), 3u);
  EXPECT_EQ(first.processes[0].run, "night walkers");
  EXPECT_EQ(first.processes[0].user, "alice");
  EXPECT_EQ(first.processes[0].gpus, QList<int>({0, 1}));
  EXPECT_EQ(first.processes[0].gpuMemory, 1000u << 20);
  EXPECT_EQ(first.processes[0].memory, 1024u * 1024);
  EXPECT_EQ(first.processes[1].program, "python3");
  EXPECT_EQ(first.processes[1].gpuMemory, 0u) << "not told";
  EXPECT_TRUE(first.processes[2].user.isEmpty()) << "another container's";
  const auto second = studio::parseHostSample(kSecondLook, 12, counters);
  EXPECT_DOUBLE_EQ(second.cpuPercent, 50);
  EXPECT_DOUBLE_EQ(second.received, 1000);
  EXPECT_DOUBLE_EQ(second.diskWrite, 256);
}

TEST(HostSample, TheClockIsWrongWhereNoTimeBetweenQuestionAndAnswerFits) {
  EXPECT_EQ(studio::clockAhead("clock 100.5\ncores 4\nclock 101.5\n", 100, 102), 0);
  EXPECT_DOUBLE_EQ(studio::clockAhead("clock 105.5\nclock 106.5\n", 100, 102), 4.5);
  EXPECT_DOUBLE_EQ(studio::clockAhead("clock 40.5\nclock 41.5\n", 100, 102), -59.5);
  EXPECT_EQ(studio::clockAhead("cores 4\nclock what\n", 100, 102), 0) << "not told";
}

TEST(MachineTile, WarnsOfAClockThatIsWrongAndSaysNothingOfOneThatIsRight) {
  widgets::MachineTile tile;
  auto reading = std::make_shared<widgets::MachineReading>();
  const auto shown = [&](double ahead) {
    reading->clockAhead = ahead;
    tile.setMachine(
        {.name = "gpu1", .group = {}, .state = widgets::MachineState::Ready, .message = {}, .reading = reading});
    const auto* clock = tile.findChild<QLabel*>("machineClock");
    return clock->isHidden() ? QString() : clock->text();
  };
  EXPECT_EQ(shown(0.8), "");
  EXPECT_TRUE(shown(75).startsWith("Its clock is 1 min 15 s ahead of this machine's")) << shown(75).toStdString();
  EXPECT_TRUE(shown(-3).startsWith("Its clock is 3")) << shown(-3).toStdString();
  EXPECT_TRUE(shown(-3).contains("behind"));
}

TEST(MachineTile, SaysNothingOfCardsWhereThereAreNone) {
  widgets::MachineTile tile;
  widgets::MachineReading reading;
  reading.host = "here";
  tile.setReading(reading);
  EXPECT_EQ(tile.findChild<QLabel*>("noProcesses")->text(), "No run computes on it.");
}

TEST(HostSample, SurvivesGarbage) {
  studio::HostCounters counters;
  const auto reading = studio::parseHostSample(
      "gpu what\ncpu\n\n  \nnet x y\ndf\napp\napp a, b, c, d\nproc |||\nproc x|y|z|a|b\n", 1, counters);
  EXPECT_TRUE(reading.gpus.empty());
  EXPECT_EQ(reading.diskFree, 0u);
  EXPECT_TRUE(reading.processes.empty());
}

TEST_F(FleetTest, AnUnknownMachineShowsItsFingerprintAndIsTrustedOrNot) {
  network->forgetHostKey(1);
  openOn("fleet", 4);
  addBoth();
  auto* panel = find<widgets::QuestionPanel>("questionPanel");
  ASSERT_TRUE(waitFor([&] { return panel->isOpen(); }));
  EXPECT_TRUE(find<QLabel>("questionCode")->text().startsWith("SHA256:"));
  EXPECT_TRUE(find<QLabel>("questionText")->text().contains("host2") ||
              find<QLabel>("questionText")->text().contains(QString::fromStdString(network->address(1))));
  QTest::keyClick(panel, Qt::Key_Escape);
  ASSERT_TRUE(waitFor([&] { return window()->fleetPage()->checks()->columnCount() == 4; }));
  ASSERT_TRUE(waitFor([&] { return fleetState("host2") == "waits for you" && fleetState("host1") == "ready"; }))
      << fleetState("host1").toStdString() << fleetState("host2").toStdString();

  QTest::mouseClick(window()->fleetPage()->tile("host2")->findChild<QPushButton*>("machineConnect"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return panel->isOpen(); }));
  QTest::mouseClick(find<QPushButton>("questionYes"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] {
    if (panel->isOpen())
      QTest::mouseClick(find<QPushButton>("questionYes"),
                        Qt::LeftButton);  // the other connection asked at the same time
    return fleetState("host2") == "ready";
  }));
  ASSERT_TRUE(waitFor([&] { return !studio->fleet()->checking() && studio->fleet()->means("host2").known; }));

  window()->close();
  studio.reset();
  openOn("fleet", 4);
  EXPECT_NE(window()->fleetPage()->tile("host1"), nullptr) << "machines are remembered";
  ASSERT_TRUE(waitFor([&] { return fleetState("host2") == "ready"; })) << "and connected to without a question";
}

TEST_F(FleetTest, WhatLiesBetweenTheMachinesIsMeasuredAndABadPairIsNamedWithItsFix) {
  openOn("fleet", 1);
  if (std::filesystem::exists(programPath("roadtune-train"))) {  // the sum needs a trainer there
    const auto trained =
        runProgram({"roadtune", "train", home / "run.yaml", "--hosts", "host1,host2", "--progress", "none"},
                   {.environment = {{"ROADTUNE_SSH_CONFIG", network->sshConfig()}}, .timeoutSeconds = 120});
    ASSERT_EQ(trained.exitCode, 0) << trained.err;
  }
  auto* jobs = window()->statusStrip();
  addBoth();
  ASSERT_TRUE(waitFor([&] { return jobs->jobCount() == 1; })) << "the status bar tells of it";
  ASSERT_TRUE(waitFor([&] { return !studio->fleet()->checking(); }, 60));
  EXPECT_EQ(jobs->jobCount(), 0);
  EXPECT_TRUE(between("Links").startsWith("2 of 2 pairs; ")) << between("Links").toStdString();
  EXPECT_EQ(between("Link host2 → host1"), QString());
  if (std::filesystem::exists(programPath("roadtune-train"))) {
    EXPECT_TRUE(between("Sum over all").startsWith("2 machines add up 4 MB in "))
        << between("Sum over all").toStdString();
    EXPECT_FALSE(between("Same NCCL").isEmpty());
  }

  network->limitRate(1, "50mbit");
  QTest::mouseClick(find<QPushButton>("checkAgain"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return !between("Link host2 → host1").isEmpty(); }, 60)) << between("Links").toStdString();
  network->limitRate(1, "10gbit");
  EXPECT_TRUE(between("Link host2 → host1").contains(" is usual here")) << between("Link host2 → host1").toStdString();
  EXPECT_TRUE(advice("Link host2 → host1").contains("this pair slows every step"));
  QTest::keyClick(window(), Qt::Key_2, Qt::ControlModifier);
  chooseBoth([] {});
  auto* fitness = find<QLabel>("whereFitness");
  EXPECT_TRUE(fitness->toolTip().contains("Link host2 → host1: ")) << fitness->toolTip().toStdString();
  QTest::keyClick(window(), Qt::Key_4, Qt::ControlModifier);

  ASSERT_TRUE(waitFor([&] { return !studio->fleet()->checking(); }, 60));
  QTest::mouseClick(find<QPushButton>("checkAgain"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return jobs->jobCount() == 1; }, 60));
  QTest::mouseClick(jobs->findChild<QToolButton*>("cancelJob"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return !studio->fleet()->checking(); }, 60));
  EXPECT_TRUE(between("Links").startsWith("not measured yet")) << between("Links").toStdString();
}

TEST_F(FleetTest, WhatOfSshConfigIsNotFollowedStandsBelowTheChecks) {
  home.write("ssh_config", "Include " + network->sshConfig() + "\nHost host1\n  Ciphers aes256-ctr\nMatch exec true\n");
  qputenv("ROADTUNE_SSH_CONFIG", (home / "ssh_config").string().c_str());
  openOn("fleet", 1);
  addMachines({"host1", "host2"});
  ASSERT_TRUE(waitFor([&] { return !studio->fleet()->checking(); }, 60));
  const auto* told = find<QTreeView>("preflightAdvice")->model();
  QStringList notes;
  for (int row = 0; row < told->rowCount(); ++row)
    if (told->index(row, 1).data() == "ssh_config")
      notes << told->index(row, 0).data().toString() + ": " + told->index(row, 2).data().toString();
  const QString file = QString::fromStdString((home / "ssh_config").string());
  EXPECT_TRUE(notes.contains("host1: " + file + ":3: 'ciphers' is not supported")) << notes.join("\n").toStdString();
  EXPECT_TRUE(notes.contains("host2: " + file + ":4: Match exec is not supported; the block is skipped"))
      << notes.join("\n").toStdString();
  EXPECT_TRUE(find<QTreeView>("preflightAdvice")->isVisible());
  EXPECT_EQ(notes.size(), 3) << "what is not said about a machine is not told of it: "
                             << notes.join("\n").toStdString();
  EXPECT_TRUE(window()->fleetPage()->checks()->index(0, 2).data(Qt::ToolTipRole).toString().contains("'ciphers'"));
}

TEST_F(FleetTest, AModelThatDiffersOnOneOfTheMachinesIsNamedBeforeTheStart) {
  const std::string model = tinyModel().string(), copy = (home / "copy").string();
  std::filesystem::copy(model, copy, std::filesystem::copy_options::recursive);
  network->mountThere(1, model, "size=300m");
  const auto there = [&](const std::string& command) {  // what is mounted is seen by its sshd only
    return runProgram({"ssh", "-F", network->sshConfig(), "host2", command}).exitCode == 0;
  };
  ASSERT_TRUE(there("cp -r " + copy + "/. " + model + " && touch " + model + "/notes.lock"));
  openOn("fleet", 1);
  addBoth();
  ASSERT_TRUE(waitFor([&] { return !studio->fleet()->checking(); }, 60));
  const QString title = "Data " + QString::fromStdString(tinyModel().filename().string());
  EXPECT_EQ(between(title.toUtf8()), QString()) << "no run was named";
  QTest::keyClick(window(), Qt::Key_2, Qt::ControlModifier);
  chooseBoth([] {});
  const auto again = [&] {
    QTest::mouseClick(find<QToolButton>("whereCheck"), Qt::LeftButton);
    return waitFor([&] { return !studio->fleet()->checking(); }, 60);
  };
  ASSERT_TRUE(again());
  EXPECT_TRUE(between(title.toUtf8()).endsWith(", the same everywhere")) << between(title.toUtf8()).toStdString();
  ASSERT_TRUE(there("sed -i 's/^{/ {/' " + model + "/config.json"));
  ASSERT_TRUE(again());
  EXPECT_TRUE(between(title.toUtf8()).startsWith("differs: ")) << between(title.toUtf8()).toStdString();
  const QString fitness = find<QLabel>("whereFitness")->toolTip();
  EXPECT_TRUE(fitness.contains(title + ": ")) << fitness.toStdString();
}

TEST_F(FleetTest, ARunOnTwoMachinesStartsFromTheWindowSurvivesItAndStops) {
  if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
  openOn("fleet", 3000);
  addBoth();
  ASSERT_TRUE(waitFor([&] { return studio->fleet()->means("host1").known && studio->fleet()->means("host2").known; }));
  QTest::keyClick(window(), Qt::Key_2, Qt::ControlModifier);
  chooseBoth([&] { EXPECT_FALSE(find<QPushButton>("startRun")->isEnabled()) << "no machine is chosen yet"; });
  EXPECT_TRUE(yaml().contains("hosts: [host1, host2]")) << yaml().toStdString();
  ASSERT_TRUE(waitFor([&] { return find<QLabel>("effectiveBatch")->text() == "2 × 2 machines = 4 samples a step"; }))
      << find<QLabel>("effectiveBatch")->text().toStdString();
  EXPECT_FALSE(find<QLabel>("whereFitness")->text().isEmpty());

  QTest::mouseClick(find<QPushButton>("startRun"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Runs; }, 90))
      << find<QLabel>("startBlocked")->text().toStdString();
  auto* loss = window()->runsPage()->plots()->plot("loss");
  ASSERT_TRUE(waitFor([&] { return !loss->curves().empty() && loss->curves()[0].x.size() >= 3; }, 90))
      << find<QPlainTextEdit>("logText")->toPlainText().toStdString();

  QTest::keyClick(window(), Qt::Key_4, Qt::ControlModifier);
  auto* there = window()->fleetPage()->tile("host2")->findChild<QTreeView*>("processTable");
  // The hosts of tests share a kernel: ranks of other tests may stand in the table too.
  const auto ours = [&] {
    const auto* model = there->model();
    return model->match(model->index(0, 0), Qt::DisplayRole, "far", 1, Qt::MatchExactly).value(0);
  };
  ASSERT_TRUE(waitFor([&] { return there->isVisible() && ours().isValid(); }))
      << "its processes have the run's name; " << fleetState("host2").toStdString();
  EXPECT_EQ(ours().siblingAtColumn(1).data().toString(), "root");
  QTest::keyClick(window(), Qt::Key_3, Qt::ControlModifier);

  window()->close();
  studio.reset();
  openOn("runs", 3000);
  EXPECT_EQ(window()->runsPage()->selectedRun(), QString::fromStdString((home / "runs/far").string()));
  loss = window()->runsPage()->plots()->plot("loss");
  ASSERT_TRUE(waitFor([&] { return !loss->curves().empty() && loss->curves()[0].x.size() >= 3; }));
  const auto before = loss->curves()[0].latest;
  ASSERT_TRUE(waitFor([&] { return loss->curves()[0].latest != before; }, 60)) << "the curve goes on where it was";
  find<QAction>("actionStopRunNow")->trigger();
  ASSERT_TRUE(waitFor([&] { return find<widgets::ElidedLabel>("runPhase")->text().startsWith("stopped"); }, 60))
      << find<widgets::ElidedLabel>("runPhase")->text().toStdString();
  const auto proof = runProgram({"roadtune", "stop", home / "runs/far"},
                                {.environment = {{"ROADTUNE_SSH_CONFIG", network->sshConfig()}}, .timeoutSeconds = 60});
  EXPECT_EQ(proof.exitCode, 0) << proof.out << proof.err;
}

TEST_F(FleetTest, WhatAMachineLacksIsShownWithItsSizeAndCopiedWhenWished) {
  if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
  network->mountThere(1, tinyModel(), "size=300m");
  openOn("fleet", 3);
  addBoth();
  ASSERT_TRUE(waitFor([&] { return studio->fleet()->means("host1").known && studio->fleet()->means("host2").known; }));
  QTest::keyClick(window(), Qt::Key_2, Qt::ControlModifier);
  auto* copies = find<QCheckBox>("whereCopies");
  auto* missing = find<QLabel>("whereMissing");
  chooseBoth([&] { EXPECT_FALSE(copies->isVisible()) << "no machine is chosen yet"; });
  EXPECT_TRUE(copies->isVisible());
  EXPECT_FALSE(missing->isVisible());
  QTest::mouseClick(copies, Qt::LeftButton, {}, QPoint(8, copies->height() / 2));
  ASSERT_TRUE(waitFor([&] { return missing->text().contains("host2: "); }, 30)) << missing->text().toStdString();
  EXPECT_TRUE(missing->text().contains("host1: nothing is missing")) << missing->text().toStdString();
  EXPECT_TRUE(missing->text().contains(" MB; ")) << missing->text().toStdString();
  ASSERT_TRUE(waitFor([&] { return missing->height() >= missing->heightForWidth(missing->width()); }));
  QTest::mouseClick(find<QPushButton>("queueRun"), Qt::LeftButton);
  const remote::JobQueue queue;
  ASSERT_TRUE(waitFor([&] { return queue.jobs().valueOr({}).size() == 1; }));
  EXPECT_TRUE(queue.jobs().value()[0].sync) << "a queued run brings it when its turn comes";
  ASSERT_TRUE(queue.remove(queue.jobs().value()[0].order.id).ok());
  QTest::mouseClick(find<QPushButton>("startRun"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Runs; }, 90))
      << find<QLabel>("startBlocked")->text().toStdString();
  ASSERT_TRUE(waitFor([&] { return find<widgets::ElidedLabel>("runPhase")->text().startsWith("finished"); }, 90))
      << find<widgets::ElidedLabel>("runPhase")->text().toStdString();
}

TEST_F(FleetTest, ResumingAsksInTheWindowWhatSshAsks) {
  if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
  const ProgramOptions here{.environment = {{"ROADTUNE_SSH_CONFIG", network->sshConfig()}}, .timeoutSeconds = 120};
  openOn("runs", 400);
  studio.reset();
  const std::string run = home / "runs/far";
  const auto started = runProgram(
      {"roadtune", "train", home / "run.yaml", "--hosts", "host2", "--set", "save_steps=2", "--detach"}, here);
  ASSERT_EQ(started.exitCode, 0) << started.err;
  const auto stopped = runProgram({"roadtune", "stop", run}, here);
  ASSERT_EQ(stopped.exitCode, 0) << stopped.out << stopped.err;
  network->forgetHostKey(1);
  studio::Options options;
  options.run = QString::fromStdString(run);
  open(options);
  auto* resume = find<QToolButton>("resumeRun");
  ASSERT_TRUE(waitFor([&] { return resume->isVisible(); }))
      << find<widgets::ElidedLabel>("runPhase")->text().toStdString();
  QTest::mouseClick(resume, Qt::LeftButton);
  auto* panel = find<widgets::QuestionPanel>("questionPanel");
  ASSERT_TRUE(waitFor([&] { return panel->isOpen(); })) << "an unknown machine is asked about";
  EXPECT_TRUE(find<QLabel>("questionCode")->text().startsWith("SHA256:"));
  ASSERT_TRUE(waitFor(
      [&] {
        if (panel->isOpen()) QTest::mouseClick(find<QPushButton>("questionYes"), Qt::LeftButton);
        return window()->runsPage()->notice()->text().startsWith("The run goes on from");
      },
      90))
      << window()->runsPage()->notice()->text().toStdString();
  EXPECT_EQ(runProgram({"roadtune", "stop", run, "--now"}, here).exitCode, 0);
}

}  // namespace
}  // namespace roadtune::testing
