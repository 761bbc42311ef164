// SPDX-License-Identifier: GPL-3.0-or-later
// A run that somebody started from another machine is found where it ran, and followed in this window, too.
#include "core/base/files.h"
#include "core/protocol/run_layout.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "tests/support/test_network.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/runs/runs_page.h"

#include <QAction>
#include <QMenu>

namespace roadtune::testing {
namespace {

struct RunsFromMachineTest : StudioTest {
  void SetUp() override {
    if (!TestNetwork::available()) GTEST_SKIP() << "network namespaces and a throw-away sshd need root";
    if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
    StudioTest::SetUp();
    network = std::make_unique<TestNetwork>(1);
    qputenv("ROADTUNE_SSH_CONFIG", network->sshConfig().c_str());
    studio::Settings().setMachines({{"host1", QString()}});
    studio::Options options;
    options.page = "runs";
    open(options);
  }
  void TearDown() override {
    if (!network) return;
    StudioTest::TearDown();
    qunsetenv("ROADTUNE_SSH_CONFIG");
  }
  // Its folder lies where this studio does not look.
  void trainElsewhere() const {
    home.write("far.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "laptop/far").string() +
                               "\nfinetuning_type: full\nnproc_per_node: 1\nmax_steps: 3\n"
                               "per_device_train_batch_size: 2\nlogging_steps: 1\n");
    const auto trained =
        runProgram({"roadtune", "train", home / "far.yaml", "--hosts", "host1"}, {.timeoutSeconds = 120});
    ASSERT_EQ(trained.exitCode, 0) << trained.err;
  }
  void chooseMachine() const {
    QMenu* menu = page()->machinesMenu();
    emit menu->aboutToShow();
    ASSERT_EQ(menu->actions().size(), 1);
    EXPECT_EQ(menu->actions().first()->text(), "host1");
    menu->actions().first()->trigger();
  }
  widgets::RunsPage* page() const { return window()->runsPage(); }
  std::unique_ptr<TestNetwork> network;
};

TEST_F(RunsFromMachineTest, WhatRanThereIsOnShowHere) {
  chooseMachine();
  ASSERT_TRUE(waitFor([&] { return page()->notice()->text().contains("keeps no run"); }))
      << page()->notice()->text().toStdString();
  trainElsewhere();
  chooseMachine();
  const QString folder = QString::fromStdString((home / "data/roadtune/runs/far").string());
  ASSERT_TRUE(waitFor([&] { return page()->selectedRun() == folder; })) << page()->notice()->text().toStdString();
  const auto written = [](const std::filesystem::path& run) {
    return readFile(protocol::RunLayout(run).rankEvents(0)).valueOr("");  // not there at first
  };
  EXPECT_TRUE(waitFor([&] {
    const std::string here = written(folder.toStdString());
    return !here.empty() && here == written(home / "laptop/far");
  })) << "all that was written is here";
}

}  // namespace
}  // namespace roadtune::testing
