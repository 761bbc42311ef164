// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is proved from the window before it starts, with the real trainer.
#include "app/studio/run_document.h"
#include "core/runs/proof_words.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/train/dry_run_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace roadtune::testing {
namespace {

struct DryRunWindow : StudioTest {
  void SetUp() override {
    if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
    StudioTest::SetUp();
    qputenv("XDG_RUNTIME_DIR", home.path().string().c_str());
  }
  void openTrain(const std::string& more = {}) {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "run").string() +
                               "\nfinetuning_type: full\nmax_steps: 6\nper_device_train_batch_size: 2\n"
                               "eval_fraction: 0.3\nnum_probe_samples: 1\nmax_new_tokens: 8\ndevice: cpu\n" +
                               more);
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = "train";
    open(options);
    button = find<QPushButton>("dryRun");
    ASSERT_TRUE(waitFor([&] { return button->isEnabled(); }));
  }
  QStringList titles() const {
    QStringList words;
    for (const QWidget* proof : panel()->findChildren<QWidget*>("dryRunProof"))
      words << proof->findChildren<QLabel*>().at(1)->text();
    return words;
  }
  widgets::DryRunPanel* panel() const { return window()->findChild<widgets::DryRunPanel*>(); }
  QString state() const { return panel()->findChild<QLabel*>("dryRunState")->text(); }
  bool ended() const {
    return waitFor([&] { return panel()->isVisible() && !panel()->running(); }, 60);
  }
  QPushButton* button = nullptr;
};

TEST_F(DryRunWindow, TicksSayWhatWasProvedUntilTheSettingsChange) {
  openTrain();
  EXPECT_FALSE(panel()->isVisible()) << "nothing was asked for yet";
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_TRUE(panel()->isVisible());
  EXPECT_FALSE(find<QPushButton>("startRun")->isEnabled()) << "the machine is busy with it";
  ASSERT_TRUE(ended());
  EXPECT_EQ(state(), "With these settings the run will work.") << state().toStdString();
  EXPECT_EQ(titles(), QStringList({"Longest samples", "Training step", "Pace", "Evaluation", "Predictions",
                                   "Checkpoint", "The whole run"}));
  EXPECT_TRUE(find<QPushButton>("startRun")->isEnabled());
  EXPECT_FALSE(std::filesystem::exists(home / "run-dry-run"));
  auto* rate = find<QLineEdit>("edit_learning_rate");
  rate->setFocus();
  rate->selectAll();
  QTest::keyClicks(rate, "3e-4");
  QTest::keyClick(rate, Qt::Key_Return);
  EXPECT_TRUE(waitFor([&] { return state().contains("changed since"); })) << state().toStdString();
  QTest::mouseClick(find<QToolButton>("dryRunClose"), Qt::LeftButton);
  EXPECT_FALSE(panel()->isVisible());
}

TEST_F(DryRunWindow, WhatStandsInTheWayIsSaidAndTheRunCanBeTriedAgain) {
  openTrain("max_length: 90\non_long_sample: stop\n");
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(ended());
  EXPECT_TRUE(state().contains("Something stands in the way")) << state().toStdString();
  const auto* notice = window()->trainPage()->notice();
  ASSERT_TRUE(notice->isVisible());
  QStringList words;
  for (const QLabel* label : notice->findChildren<QLabel*>()) words << label->text();
  EXPECT_TRUE(words.join(' ').contains("longer than max_length")) << words.join(' ').toStdString();
  EXPECT_TRUE(button->isEnabled());
}

TEST_F(DryRunWindow, ItCanBeEndedAndLeavesNothing) {
  openTrain("num_train_epochs: 1\n");
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return !titles().isEmpty(); }, 60));
  QTest::mouseClick(find<QToolButton>("dryRunClose"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return !panel()->isVisible(); }, 60));
  EXPECT_FALSE(std::filesystem::exists(home / "run-dry-run"));
  EXPECT_TRUE(waitFor([&] { return button->isEnabled(); }));
}

TEST_F(DryRunWindow, EveryWordOfAProofIsKnownToTheWindow) {
  std::ifstream file(ROADTUNE_SOURCE_DIR "/resources/translations/roadtune_de.ts");
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  const auto begin = all.find("<name>Proof</name>");
  ASSERT_NE(begin, std::string::npos);
  const std::string known = all.substr(begin, all.find("</context>", begin) - begin);
  for (const std::string& english : runs::allProofWords())
    EXPECT_NE(known.find("<source>" + english + "</source>"), std::string::npos)
        << english << " is missing in the list of dry_run_panel.cpp; then: ./dev translate";
}

}  // namespace
}  // namespace roadtune::testing
