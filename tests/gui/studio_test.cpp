// SPDX-License-Identifier: GPL-3.0-or-later
// The studio used as a person would: mouse, keys and visible text.
#include "app/studio/run_document.h"
#include "core/data/index/index.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/user_hands.h"
#include "tests/support/made_data.h"
#include "tests/support/program.h"
#include "widgets/canvas/frame_timeline.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/common/elided_label.h"
#include "widgets/frame/command_palette.h"
#include "widgets/frame/key_sheet.h"
#include "widgets/models/run_list_model.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/fleet/preflight_model.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>

namespace roadtune::testing {
namespace {

QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

TEST_F(StudioTest, OpensOnAnEmptyMachineWithAPageThatSaysWhatToDo) {
  open({});
  EXPECT_EQ(window()->page(), studio::Page::Data);
  EXPECT_TRUE(find<QPushButton>("emptyImport")->isVisible());
  QTest::keyClick(window(), Qt::Key_3, Qt::ControlModifier);
  EXPECT_EQ(window()->page(), studio::Page::Runs);
  QTest::mouseClick(find<QPushButton>("emptyTrain"), Qt::LeftButton);
  EXPECT_EQ(window()->page(), studio::Page::Train);
}

TEST_F(StudioTest, ThePaletteDoesWhatOneTypes) {
  open({});
  QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
  auto* edit = find<QLineEdit>("paletteEdit");
  ASSERT_TRUE(edit->isVisible());
  QTest::keyClicks(edit, "fleet");
  QTest::keyClick(edit, Qt::Key_Return);
  EXPECT_FALSE(edit->isVisible());
  EXPECT_EQ(window()->page(), studio::Page::Fleet);
  QTest::keyClick(window(), Qt::Key_K, Qt::ControlModifier);
  QTest::keyClicks(edit, "dark");
  QTest::keyClick(edit, Qt::Key_Return);
  EXPECT_TRUE(widgets::Theme::tokens().dark);
}

TEST_F(StudioTest, WhatIsOpenedOverTheWindowTakesThePlaceOfWhatWasThere) {
  open({});
  QTest::keyClick(window(), Qt::Key_F1);
  auto* sheet = find<QWidget>("keySheet");
  ASSERT_TRUE(sheet->isVisible());
  QTest::keyClick(window(), Qt::Key_Comma, Qt::ControlModifier);
  EXPECT_FALSE(sheet->isVisible());
  EXPECT_TRUE(find<QComboBox>("languageChoice")->isVisible());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  EXPECT_FALSE(find<QComboBox>("languageChoice")->isVisible());
}

TEST_F(StudioTest, TheKeySheetOpensAndEscClosesIt) {
  open({});
  window()->setFocus();
  QTest::keyClicks(window(), "?");
  auto* sheet = find<widgets::KeySheet>("keySheet");
  EXPECT_TRUE(sheet->isVisible());
  QTest::keyClick(sheet, Qt::Key_Escape);
  EXPECT_FALSE(sheet->isVisible());
}

TEST_F(StudioTest, RemembersPageAndRun) {
  DrawnRun run{home / "runs/night-walkers"};
  drawRun(run);
  studio::Options options;
  options.run = text(run.folder);
  open(options);
  EXPECT_EQ(window()->page(), studio::Page::Runs);
  window()->close();
  studio.reset();
  open({});
  EXPECT_EQ(window()->page(), studio::Page::Runs);
  EXPECT_EQ(window()->runsPage()->selectedRun(), text(run.folder));
}

TEST_F(StudioTest, HiddenPanelsAndWidthsComeBack) {
  open({});
  window()->setPage(studio::Page::Train);
  auto* modules = find<QWidget>("modulePanel");
  auto* split = find<QSplitter>("trainSplitter");
  const QPoint edge = split->handle(2)->rect().center();
  QTest::mousePress(split->handle(2), Qt::LeftButton, {}, edge);
  QTest::mouseMove(split->handle(2), edge - QPoint(60, 0));
  QTest::mouseRelease(split->handle(2), Qt::LeftButton, {}, edge - QPoint(60, 0));
  const int wide = split->sizes()[2];
  QTest::keyClicks(window(), "[");
  EXPECT_FALSE(modules->isVisible());
  window()->close();
  studio.reset();
  open({});
  window()->setPage(studio::Page::Train);
  EXPECT_FALSE(find<QWidget>("modulePanel")->isVisible()) << "as it was left";
  EXPECT_NEAR(find<QSplitter>("trainSplitter")->sizes()[2], wide, 8);
  QTest::keyClicks(window(), "[");
  EXPECT_TRUE(find<QWidget>("modulePanel")->isVisible()) << "and one key brings it back";
}

TEST_F(StudioTest, ShowsARunWithItsCurvesLogEventsAndConfiguration) {
  DrawnRun run{home / "runs/night-walkers"};
  drawRun(run);
  studio::Options options;
  options.runRoots = {text(home / "runs")};
  options.page = "runs";
  open(options);
  auto* page = window()->runsPage();
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1; }));
  auto* list = find<QListView>("runList");
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
  auto* loss = page->plots()->plot("loss");
  ASSERT_TRUE(waitFor([&] { return loss->curves().size() == 3 && !loss->curves()[0].x.empty(); }));
  const auto* evaluation = page->plots()->plot("evaluation");
  ASSERT_EQ(evaluation->curves().size(), 2u) << "AP and AP50, shares both";
  EXPECT_TRUE(evaluation->isVisible());
  EXPECT_EQ(evaluation->curves()[0].x.size(), 10u) << "one point for each evaluation";
  EXPECT_GT(evaluation->curves()[0].latest, 0.3);
  EXPECT_EQ(find<widgets::ElidedLabel>("runName")->text(), "night-walkers");
  EXPECT_TRUE(find<widgets::ElidedLabel>("runPhase")->text().startsWith("finished"));
  EXPECT_EQ(find<QLabel>("runSteps")->text(), "step 400 / 400");
  EXPECT_TRUE(find<QPlainTextEdit>("logText")->toPlainText().contains("lora r=8 on 182 modules"));
  EXPECT_TRUE(find<QPlainTextEdit>("runConfig")->toPlainText().contains("# 1,284 images"));
  EXPECT_GE(find<QTreeView>("eventTable")->model()->rowCount(), 5);
  EXPECT_GE(find<QTreeView>("receiptTable")->model()->rowCount(), 2);
  EXPECT_FALSE(find<QToolButton>("stopRun")->isVisible()) << "a finished run cannot be stopped";
}

TEST_F(StudioTest, ALiveRunGrowsOnShowAndItsChipLeadsToIt) {
  DrawnRun run{home / "runs/live"};
  LiveRun live(run);
  live.step(10);
  studio::Options options;
  options.run = text(run.folder);
  open(options);
  auto* loss = window()->runsPage()->plots()->plot("loss");
  EXPECT_TRUE(QTest::qWaitFor([&] { return !window()->runsPage()->plots()->plot("evaluation")->isVisible(); }))
      << "nothing was evaluated yet";
  ASSERT_TRUE(waitFor([&] { return !loss->curves().empty() && loss->curves()[0].x.size() == 10; }));
  live.step(25);
  ASSERT_TRUE(waitFor([&] { return loss->curves()[0].x.size() == 35; }));
}

struct DataTest : StudioTest {
  void openData() {
    studio::Options options;
    options.data = text(drawnIndex());
    open(options);
    ASSERT_TRUE(waitFor([&] { return window()->dataPage()->grid()->images()->size() == 120; }))
        << window()->dataPage()->grid()->images()->size();
  }
};

TEST_F(DataTest, AQueryNarrowsTheGridAndAWrongOneSaysWhere) {
  openData();
  auto* page = window()->dataPage();
  auto* edit = find<QLineEdit>("queryEdit");
  page->grid()->setFocus();
  QTest::keyClicks(page->grid(), "/");
  EXPECT_TRUE(edit->hasFocus());
  QTest::keyClicks(edit, "camera=front");
  QTest::keyClick(edit, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 24; }));
  EXPECT_EQ(find<QLabel>("queryCount")->text(), "24 of 120");
  edit->selectAll();
  QTest::keyClicks(edit, "heigth>4");
  QTest::keyClick(edit, Qt::Key_Return);
  auto* error = find<QLabel>("queryError");
  ASSERT_TRUE(waitFor([&] { return error->isVisible(); }));
  EXPECT_TRUE(error->text().contains("heigth"));
  EXPECT_TRUE(error->text().contains("height"));
  EXPECT_EQ(page->grid()->images()->size(), 24u) << "a wrong query changes nothing";
}

TEST_F(DataTest, AClickOnAFacetWritesTheQuery) {
  openData();
  auto* page = window()->dataPage();
  ASSERT_TRUE(waitFor([&] {
    return window()->findChild<QAbstractButton*>("facet_camera_FRONT") ||
           window()->findChild<QAbstractButton*>("facet_camera_front");
  }));
  auto* front = window()->findChild<QAbstractButton*>("facet_camera_FRONT");
  if (!front) front = window()->findChild<QAbstractButton*>("facet_camera_front");
  QTest::mouseClick(front, Qt::LeftButton);
  EXPECT_EQ(page->query().toLower(), "camera=front");
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 24; }));
}

TEST_F(DataTest, EnterOpensAnImageWithItsCamerasAndEscLeadsBack) {
  openData();
  auto* page = window()->dataPage();
  page->grid()->setFocus();
  QTest::keyClick(page->grid(), Qt::Key_Return);
  ASSERT_TRUE(page->showsSample());
  auto* sample = page->sample();
  const auto first = sample->image();
  EXPECT_EQ(sample->timeline()->frames(), 8);
  QTest::keyClick(sample, Qt::Key_Right);
  EXPECT_NE(sample->image(), first);
  QTest::keyClick(sample, Qt::Key_P);
  EXPECT_TRUE(sample->timeline()->playing());
  ASSERT_TRUE(waitFor([&] { return sample->timeline()->frame() >= 3; }));
  QTest::keyClick(sample, Qt::Key_Escape);
  EXPECT_FALSE(page->showsSample());
  EXPECT_FALSE(sample->timeline()->playing());
  EXPECT_EQ(page->grid()->currentImage(), sample->image());
}

TEST_F(DataTest, ImportsAFolderDroppedOnIt) {
  open({});
  auto* page = window()->dataPage();
  dropOn(window(), drawnRecordings());
  auto* start = find<QPushButton>("importStart");
  ASSERT_TRUE(waitFor([&] { return start->isEnabled() && start->hasFocus(); }));
  QTest::keyClick(start, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }, 60));
}

struct TrainTest : StudioTest {
  void openTrain() {
    home.write("run.yaml",
               "# kept\nmodel_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                   "\noutput_dir: " + (home / "runs/one").string() +
                   "\nfinetuning_type: full\nmax_steps: 12\nper_device_train_batch_size: 2\nlogging_steps: 1\n");
    studio::Options options;
    options.config = text(home / "run.yaml");
    options.page = "train";
    open(options);
    ASSERT_TRUE(waitFor([&] { return find<QTreeView>("moduleTree")->model()->rowCount() >= 3; }));
  }
  QString yaml() const { return QString::fromStdString(studio->train()->document().document().text()); }
  static void typeLines(QWidget* edit, const QStringList& lines) {
    for (const QString& line : lines) {
      QTest::keyClicks(edit, line);
      QTest::keyClick(edit, Qt::Key_Return);
    }
  }
  qlonglong trained() const { return find<QLabel>("trainableCount")->text().remove(',').toLongLong(); }
};

TEST_F(TrainTest, PaintingAModuleChangesTheCountAndTheText) {
  openTrain();
  auto* tree = find<QTreeView>("moduleTree");
  const auto before = trained();
  EXPECT_GT(before, 0);
  const QModelIndex vision = tree->model()->index(0, 1);
  ASSERT_EQ(vision.siblingAtColumn(0).data().toString(), "Vision tower");
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(vision).center());
  ASSERT_TRUE(waitFor([&] { return trained() != before; }));
  EXPECT_TRUE(yaml().contains("vision_tower"));
  EXPECT_TRUE(yaml().startsWith("# kept"));
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return trained() == before; }));
}

TEST_F(TrainTest, FormAndTextAreTwoViewsOfOneThing) {
  openTrain();
  auto* rate = find<QLineEdit>("edit_learning_rate");
  rate->setFocus();
  rate->selectAll();
  QTest::keyClicks(rate, "0.001");
  QTest::keyClick(rate, Qt::Key_Return);
  EXPECT_TRUE(yaml().contains("learning_rate: 0.001"));
  window()->trainPage()->showYaml(true);
  auto* edit = find<QPlainTextEdit>("yamlEdit");
  QTextCursor cursor = edit->textCursor();
  cursor.movePosition(QTextCursor::End);
  edit->setTextCursor(cursor);
  QTest::keyClicks(edit, "seed: 7");
  ASSERT_TRUE(waitFor([&] { return find<QLineEdit>("edit_seed")->text() == "7"; }));
}

TEST_F(TrainTest, TextAndFormTakeTurnsAndCommentsAndOrderStay) {
  openTrain();
  window()->trainPage()->showYaml(true);
  auto* edit = find<QPlainTextEdit>("yamlEdit");
  QTest::mouseClick(edit->viewport(), Qt::LeftButton, {}, edit->cursorRect().center());
  QTest::keyClick(edit, Qt::Key_End, Qt::ControlModifier);
  typeLines(edit, {"# why this rate", "learning_rate: 0.003  # tried", "seed: 7"});
  auto* rate = find<QLineEdit>("edit_learning_rate");
  ASSERT_TRUE(waitFor([&] { return rate->text().toDouble() == 0.003; })) << rate->text().toStdString();
  const QString typed = yaml();

  window()->trainPage()->showYaml(false);
  QTest::mouseClick(rate, Qt::LeftButton);
  rate->selectAll();
  QTest::keyClicks(rate, "0.5");
  QTest::keyClick(rate, Qt::Key_Return);
  EXPECT_TRUE(yaml().endsWith("# why this rate\nlearning_rate: 0.5  # tried\nseed: 7\n")) << yaml().toStdString();
  EXPECT_TRUE(yaml().startsWith("# kept\n"));
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(yaml(), typed) << "the field's step is taken back";
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_FALSE(yaml().contains("seed: 7")) << "then the typing, as one step";
  QTest::keyClick(window(), Qt::Key_Y, Qt::ControlModifier);
  QTest::keyClick(window(), Qt::Key_Y, Qt::ControlModifier);
  EXPECT_TRUE(yaml().contains("learning_rate: 0.5  # tried"));
  EXPECT_EQ(rate->text().toDouble(), 0.5);
}

TEST_F(TrainTest, ATextThatCannotBeReadSaysWhereAndTheFormStays) {
  openTrain();
  window()->trainPage()->showYaml(true);
  auto* edit = find<QPlainTextEdit>("yamlEdit");
  const auto lines = yaml().count(QLatin1Char('\n'));
  QTest::mouseClick(edit->viewport(), Qt::LeftButton, {}, edit->cursorRect().center());
  QTest::keyClick(edit, Qt::Key_End, Qt::ControlModifier);
  typeLines(edit, {"seed: [7"});
  auto* why = find<QLabel>("startBlocked");
  ASSERT_TRUE(waitFor([&] { return why->text().startsWith("The text cannot be read at line "); }))
      << why->text().toStdString();
  EXPECT_TRUE(why->text().contains(QStringLiteral("line %1, column ").arg(lines + 2)) ||
              why->text().contains(QStringLiteral("line %1, column ").arg(lines + 1)))
      << why->text().toStdString();
  EXPECT_FALSE(find<QPushButton>("startRun")->isEnabled());
  EXPECT_EQ(find<QLineEdit>("edit_max_steps")->text(), "12") << "the form shows what could be read last";
  EXPECT_FALSE(edit->extraSelections().isEmpty()) << "the place is underlined";
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return find<QPushButton>("startRun")->isEnabled(); }));
}

TEST_F(TrainTest, AWrongValueKeepsTheRunFromStartingAndSaysWhy) {
  openTrain();
  EXPECT_TRUE(find<QPushButton>("startRun")->isEnabled());
  auto* rate = find<QLineEdit>("edit_learning_rate");
  rate->setFocus();
  rate->selectAll();
  QTest::keyClicks(rate, "fast");
  QTest::keyClick(rate, Qt::Key_Return);
  EXPECT_FALSE(find<QPushButton>("startRun")->isEnabled());
  EXPECT_TRUE(find<QLabel>("problem_learning_rate")->isVisible());
}

TEST_F(TrainTest, StartRunsATrainerAndTheRunsPageOpensOnIt) {
  if (!std::filesystem::exists(programPath("roadtune-train"))) GTEST_SKIP() << "built without the trainer";
  openTrain();
  QTest::keyClick(window(), Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Runs; }, 60));
  EXPECT_EQ(window()->runsPage()->selectedRun(), text(home / "runs/one"));
  EXPECT_EQ(window()->focusWidget(), find<QListView>("runList")) << "arrows go from run to run at once";
  auto* loss = window()->runsPage()->plots()->plot("loss");
  ASSERT_TRUE(waitFor([&] { return !loss->curves().empty() && loss->curves()[0].x.size() == 12; }, 120))
      << find<QPlainTextEdit>("logText")->toPlainText().toStdString();
  ASSERT_TRUE(waitFor([&] { return find<widgets::ElidedLabel>("runPhase")->text().startsWith("finished"); }, 60))
      << find<widgets::ElidedLabel>("runPhase")->text().toStdString();
}

TEST_F(StudioTest, TheFleetPageShowsThisMachine) {
  studio::Options options;
  options.page = "fleet";
  open(options);
  ASSERT_TRUE(waitFor([&] { return find<widgets::ElidedLabel>("machineName")->text().contains("this machine"); }));
  ASSERT_TRUE(waitFor([&] { return window()->fleetPage()->checks()->rowCount() >= 6; }, 60));
}

TEST_F(StudioTest, EverythingThatTakesTheFocusHasAName) {
  open({});
  for (QWidget* widget : window()->findChildren<QWidget*>()) {
    const bool interactive = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget);
    if (!interactive || widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith("qt_")) continue;
    QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(widget);
    ASSERT_NE(seen, nullptr);
    const bool inPart = qobject_cast<QAbstractButton*>(widget) && qobject_cast<QLineEdit*>(widget->parentWidget());
    if (inPart || !widget->isVisibleTo(window())) continue;
    EXPECT_FALSE(seen->text(QAccessible::Name).isEmpty())
        << widget->objectName().toStdString() << ' ' << widget->metaObject()->className();
  }
}

}  // namespace
}  // namespace roadtune::testing
