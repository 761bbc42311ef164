// SPDX-License-Identifier: GPL-3.0-or-later
// What is made of a run from the window: a report to share, a merged model, predictions beside the labels.
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/prediction_strip.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/runs/result_panel.h"
#include "widgets/panels/runs/runs_page.h"

#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct RunResultsTest : StudioTest {
  void openRun(const char* name) {
    studio::Options options;
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.run = QString::fromStdString((home / "runs" / name).string());
    open(options);
    page = window()->runsPage();
    panel = page->result();
    ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1 && find<QWidget>("runName")->isVisible(); }));
  }
  void train(const std::string& method) const {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/one").string() + "\n" + method +
                               "max_steps: 2\nsave_steps: 2\nper_device_train_batch_size: 2\n");
    const auto done = runProgram({"roadtune", "train", (home / "run.yaml").string()}, {.timeoutSeconds = 120});
    ASSERT_EQ(done.exitCode, 0) << done.err;
  }
  void choose(const QString& words) {
    panel->hide();
    chooseFrom(find<QToolButton>("runResults"), words);
    ASSERT_TRUE(waitFor([&] { return panel->isVisible(); }));
  }
  QPushButton* offered() const { return page->notice()->findChild<QPushButton*>("noticeAction"); }
  void goTo(const QString& place) const {
    auto* to = find<QLineEdit>("resultTo");
    EXPECT_FALSE(to->text().isEmpty()) << "a place is suggested";
    to->setFocus();
    to->selectAll();
    QTest::keyClicks(to, place);
  }
  QString note() const { return find<QLabel>("resultNote")->text(); }
  QString place(const char* name) const { return QString::fromStdString((home / name).string()); }
  widgets::RunsPage* page = nullptr;
  widgets::ResultPanel* panel = nullptr;
};

TEST_F(RunResultsTest, AReportIsWrittenAsOnePage) {
  drawRun({.folder = home / "runs/drawn", .totalSteps = 100, .gpus = 1});
  openRun("drawn");
  choose("Write a report");
  EXPECT_FALSE(find<QComboBox>("resultCheckpoint")->isVisible()) << "a report is of the whole run";
  goTo(place("out/page.html"));
  QTest::keyClick(find<QLineEdit>("resultTo"), Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().startsWith("Written to"); }))
      << page->notice()->text().toStdString();
  const std::string html = readAll(home / "out/page.html");
  EXPECT_NE(html.find("<svg"), std::string::npos) << "with its plots in it";
  EXPECT_EQ(offered()->text(), "Open");

  choose("Write a report");
  goTo(place("out"));
  EXPECT_EQ(note(), "out is a folder. Name a file.");
  EXPECT_FALSE(find<QPushButton>("resultStart")->isEnabled());
  QTest::keyClick(panel, Qt::Key_Escape);
  EXPECT_FALSE(panel->isVisible());
}

TEST_F(RunResultsTest, AdaptersAreMergedIntoAModelThatPredictsAndIsShownBesideTheLabels) {
  if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
  train("finetuning_type: lora\nr: 2\ntarget_modules: [q_proj, v_proj]\n");
  openRun("one");
  choose("Merge adapters");
  EXPECT_EQ(find<QComboBox>("resultCheckpoint")->currentText(), "step 2");
  goTo(place("merged"));
  QTest::mouseClick(find<QPushButton>("resultStart"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().startsWith("Written to"); }, 60))
      << page->notice()->text().toStdString();
  EXPECT_TRUE(QFile::exists(place("merged/model.safetensors")));
  EXPECT_TRUE(QFile::exists(place("merged/config.json")));
  EXPECT_FALSE(QFile::exists(place("merged.partial")));

  choose("Merge adapters");
  goTo(place("merged"));
  EXPECT_EQ(note(), "merged is there already. Choose another folder.");

  choose("Predict");
  EXPECT_EQ(find<QLineEdit>("resultData")->text().toStdString(), drawnIndex().string()) << "the run's own data";
  find<QLineEdit>("resultQuery")->setFocus();
  QTest::keyClicks(find<QLineEdit>("resultQuery"), "camera=front");
  find<QSpinBox>("resultLimit")->setValue(4);
  goTo(place("boxes.json"));
  QTest::mouseClick(find<QPushButton>("resultStart"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().contains("boxes.json"); }, 120))
      << page->notice()->text().toStdString();
  QTest::mouseClick(offered(), Qt::LeftButton);
  EXPECT_EQ(window()->page(), studio::Page::Data);
  auto* data = window()->dataPage();
  ASSERT_TRUE(waitFor([&] { return data->showsSample(); }));
  EXPECT_EQ(data->query(), "camera=front");
  ASSERT_TRUE(waitFor([&] { return data->sample()->predictionStrip()->isVisible(); }))
      << data->notice()->text().toStdString();
}

TEST_F(RunResultsTest, ARunOfWholeWeightsHasNothingToMerge) {
  drawRun({.folder = home / "runs/drawn", .totalSteps = 20, .gpus = 1});
  home.write("runs/drawn/run.yaml", "model_name_or_path: /m\ntrain_data: /d\noutput_dir: /o\nfinetuning_type: full\n");
  openRun("drawn");
  choose("Merge adapters");
  EXPECT_TRUE(note().startsWith("This run trains the weights themselves")) << note().toStdString();
  EXPECT_FALSE(find<QPushButton>("resultStart")->isEnabled());
  QTest::mouseClick(find<QPushButton>("resultClose"), Qt::LeftButton);
  choose("Predict");
  EXPECT_TRUE(note().startsWith("This run has no checkpoint yet")) << note().toStdString();
}

TEST_F(RunResultsTest, WhatFailsSaysWhy) {
  drawRun({.folder = home / "runs/drawn", .totalSteps = 20, .gpus = 1});
  openRun("drawn");
  choose("Write a report");
  goTo(place("runs/drawn/run.yaml/page.html"));
  QTest::mouseClick(find<QPushButton>("resultStart"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().startsWith("Report failed: "); }))
      << page->notice()->text().toStdString();
}

}  // namespace
}  // namespace roadtune::testing
