// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo can be chosen where there is something to take back, and nowhere else.
#include "app/studio/run_document.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/train_page.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct UndoTest : StudioTest {
  void openOn(const char* page) {
    home.write("run.yaml", "model_name_or_path: m\noutput_dir: out\n");
    drawRun({home / "runs/baseline", 30, 0, true, 0, 0.5});
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.page = page;
    open(options);
  }
  // "undo redo", "undo", "redo" or "".
  QString possible() const {
    QStringList words;
    if (find<QAction>("undoCommand")->isEnabled()) words << "undo";
    if (find<QAction>("redoCommand")->isEnabled()) words << "redo";
    return words.join(' ');
  }
  QString buttons() const {
    QStringList words;
    if (find<QToolButton>("undoConfig")->isEnabled()) words << "undo";
    if (find<QToolButton>("redoConfig")->isEnabled()) words << "redo";
    return words.join(' ');
  }
  void press(const char* button) { QTest::mouseClick(find<QToolButton>(button), Qt::LeftButton); }
  studio::RunDocument& document() { return studio->train()->document(); }
};

TEST_F(UndoTest, TheConfigurationsButtonsFollowItsHistory) {
  openOn("train");
  EXPECT_EQ(buttons(), "");
  EXPECT_EQ(possible(), "");
  ASSERT_TRUE(document().set("seed", config::Value(7)).ok());
  EXPECT_EQ(buttons(), "undo");
  EXPECT_EQ(possible(), "undo");
  press("undoConfig");
  EXPECT_EQ(buttons(), "redo");
  press("redoConfig");
  EXPECT_EQ(buttons(), "undo");
  window()->setPage(studio::Page::Fleet);
  EXPECT_EQ(possible(), "") << "nothing on that page can be taken back";
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(document().config().integer("seed"), 7) << "least of all what stands on another one";
  window()->setPage(studio::Page::Runs);
  EXPECT_EQ(possible(), "") << "nothing was done to runs";
}

TEST_F(UndoTest, WhatWasTypedThisMomentIsTakenBackAtOnce) {
  openOn("train");
  window()->trainPage()->showYaml(true);
  auto* edit = find<QPlainTextEdit>("yamlEdit");
  const QString before = edit->toPlainText();
  edit->setFocus();
  QTest::keyClicks(edit, "# why");
  EXPECT_EQ(buttons(), "undo") << "before the typing pauses";
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(edit->toPlainText(), before);
  EXPECT_EQ(buttons(), "redo");
  QTest::qWait(400);
  EXPECT_EQ(edit->toPlainText(), before) << "it does not come back by itself";
}

TEST_F(UndoTest, CtrlYDoesItAgainAlsoWhereTheDesktopHasAnotherKey) {
  openOn("train");
  window()->trainPage()->showYaml(true);
  auto* edit = find<QPlainTextEdit>("yamlEdit");
  edit->setFocus();
  for (const auto& [key, modifiers] : {std::pair(Qt::Key_Y, Qt::KeyboardModifiers(Qt::ControlModifier)),
                                       std::pair(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier)}) {
    ASSERT_TRUE(document().set("seed", config::Value(7)).ok());
    QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_FALSE(edit->toPlainText().contains("seed: 7"));
    QTest::keyClick(edit, key, modifiers);
    EXPECT_TRUE(edit->toPlainText().contains("seed: 7")) << key;
    QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
  }
}

TEST_F(UndoTest, AFieldInWhichNothingWasTypedLeavesTheKeysToTheWindow) {
  openOn("train");
  auto* rate = find<QLineEdit>("edit_learning_rate");
  auto* processes = find<QSpinBox>("whereProcesses");
  for (QWidget* field : {static_cast<QWidget*>(rate), static_cast<QWidget*>(processes)}) {
    ASSERT_TRUE(document().set("seed", config::Value(7)).ok());
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NE(document().config().integer("seed"), 7) << field->objectName().toStdString();
    QTest::keyClick(field, Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(document().config().integer("seed"), 7);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(document().config().integer("seed"), 7);
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  }
  ASSERT_TRUE(document().set("seed", config::Value(7)).ok());
  const QString before = rate->text();
  rate->setFocus();
  QTest::keyClicks(rate, "9");
  QTest::keyClick(rate, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(rate->text(), before) << "what is typed is taken back first";
  EXPECT_EQ(document().config().integer("seed"), 7);
}

TEST_F(UndoTest, TheButtonThatGoesOutHandsTheFocusToTheOther) {
  openOn("train");
  ASSERT_TRUE(document().set("seed", config::Value(7)).ok());
  find<QToolButton>("undoConfig")->setFocus();
  QTest::keyClick(find<QToolButton>("undoConfig"), Qt::Key_Space);
  EXPECT_TRUE(find<QToolButton>("redoConfig")->hasFocus());
}

TEST_F(UndoTest, OnTheRunsPageItFollowsWhatWasDoneToRuns) {
  openOn("runs");
  auto* page = window()->runsPage();
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1; }));
  EXPECT_EQ(possible(), "");
  page->model()->togglePinned(QString::fromStdString((home / "runs/baseline").string()));
  EXPECT_EQ(possible(), "undo");
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(possible(), "redo");
  EXPECT_EQ(buttons(), "") << "the configuration has not changed";
}

TEST_F(UndoTest, OnTheDataPageItFollowsTheQueryAndThePaletteOffersNoMore) {
  openOn("data");
  auto* query = window()->dataPage()->queryLine();
  EXPECT_EQ(possible(), "");
  query->setText("time=Night");
  EXPECT_EQ(possible(), "undo");
  find<QAction>("undoCommand")->trigger();
  EXPECT_EQ(query->text(), "");
  EXPECT_EQ(possible(), "redo");
  QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
  QTest::keyClicks(find<QLineEdit>("paletteEdit"), "undo");
  const auto* offered = find<QListWidget>("paletteList");
  for (int row = 0; row < offered->count(); ++row) EXPECT_NE(offered->item(row)->text(), "Undo");
}

TEST_F(UndoTest, TheOfferToBringARunBackIsNotForWhatWasDoneLater) {
  drawRun({home / "runs/other", 30, 0, true, 0, 0.5});
  openOn("runs");
  auto* page = window()->runsPage();
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 2; }));
  emit page->deleteRequested(QString::fromStdString((home / "runs/baseline").string()));
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1; }));
  const auto* undo = page->notice()->findChild<QPushButton*>("noticeAction");
  const QString told = page->notice()->text();
  EXPECT_TRUE(undo->isVisible());
  page->model()->togglePinned(QString::fromStdString((home / "runs/other").string()));
  EXPECT_FALSE(undo->isVisible());
  EXPECT_EQ(page->notice()->text(), told) << "it is still in the trash";
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(undo->isVisible());
  QTest::mouseClick(page->notice()->findChild<QPushButton*>("noticeAction"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 2; }));
}

}  // namespace
}  // namespace roadtune::testing
