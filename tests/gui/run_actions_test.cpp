// SPDX-License-Identifier: GPL-3.0-or-later
// What one does with runs: lay them over each other, ask about a step, export, rename, throw away, branch.
#include "app/studio/run_document.h"
#include "core/base/clock.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/two_runs.h"
#include "tests/gui/user_hands.h"
#include "tests/support/program.h"
#include "tests/unit/runs/fake_run.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/runs/step_panel.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QTreeView>

namespace roadtune::testing {
namespace {

using RunActions = TwoRuns;

TEST_F(RunActions, TheOrderOfTheListIsChosenAndRemembered) {
  openTwo();
  auto* list = find<QListView>("runList");
  const auto first = [&] { return list->model()->index(0, 0).data().toString().toStdString(); };
  EXPECT_EQ(first(), "baseline") << "the shorter of two that ended now began later";
  chooseFrom(find<QToolButton>("runOrder"), "Lowest loss first");
  EXPECT_EQ(first(), "night-walkers");
  EXPECT_EQ(page->selectedRun(), folder("night-walkers")) << "what is on show stays on show";
  studio.reset();
  studio::Options options;
  options.runRoots = {QString::fromStdString((home / "runs").string())};
  open(options);
  list = find<QListView>("runList");
  ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 2; }));
  EXPECT_EQ(first(), "night-walkers");
}

TEST_F(RunActions, ASecondRunIsDrawnBesideTheFirstAndItsSettingsAreCompared) {
  openTwo();
  const auto alone = loss->curves().size();
  auto* list = find<QListView>("runList");
  for (int row = 0; row < 2; ++row) {
    const QModelIndex index = list->model()->index(row, 0);
    if (index.data(widgets::RunListModel::PathRole).toString() != folder("baseline")) continue;
    page->toggleBeside(folder("baseline"));
    EXPECT_TRUE(index.data(widgets::RunListModel::BesideRole).isValid());
  }
  ASSERT_TRUE(waitFor([&] { return loss->curves().size() == 2 * alone; }));
  QStringList names;
  for (const auto& spec : loss->specs()) names << spec.name;
  EXPECT_TRUE(names.contains("night-walkers") && names.contains("baseline")) << names.join(',').toStdString();
  const auto* table = find<QTreeView>("differenceTable")->model();
  QStringList settings;
  for (int row = 0; row < table->rowCount(); ++row) settings << table->index(row, 0).data().toString();
  ASSERT_TRUE(settings.contains("Learning rate")) << settings.join(',').toStdString();
  const auto rate = static_cast<int>(settings.indexOf("Learning rate"));
  EXPECT_TRUE(table->index(rate, 0).data(Qt::ToolTipRole).toString().startsWith("learning_rate: "));
  EXPECT_EQ(table->index(rate, 2).data().toString(), "1e-05");
  const auto& memory = page->plots()->plot("memory")->specs();
  ASSERT_EQ(memory.size(), 2u) << "only of the run on show";
  EXPECT_EQ(memory[0].colour, loss->specs()[0].colour) << "colour means the run";
  EXPECT_EQ(memory[1].colour, memory[0].colour);
  EXPECT_NE(memory[1].line, memory[0].line) << "and dashes its curves";
  page->toggleBeside(folder("baseline"));
  ASSERT_TRUE(waitFor([&] { return loss->curves().size() == alone; }));
  EXPECT_NE(memory[1].colour, memory[0].colour);
  EXPECT_EQ(memory[1].line, memory[0].line);
}

TEST_F(RunActions, KeysAndMouseDrawARunBesideTheOneOnShow) {
  openTwo();
  auto* list = find<QListView>("runList");
  const auto row = [&](const char* name) { return list->model()->index(page->model()->rowOf(folder(name)), 0); };
  const auto cursor = [&] { return list->currentIndex().data(widgets::RunListModel::PathRole).toString(); };
  const int there = row("baseline").row() > row("night-walkers").row() ? Qt::Key_Down : Qt::Key_Up;
  list->setFocus();
  ASSERT_EQ(cursor(), folder("night-walkers"));
  QTest::keyClick(list, static_cast<Qt::Key>(there), Qt::ControlModifier);
  EXPECT_EQ(cursor(), folder("baseline"));
  EXPECT_EQ(page->selectedRun(), folder("night-walkers")) << "the cursor moves alone";
  EXPECT_TRUE(list->selectionModel()->isSelected(row("night-walkers")));
  const QImage before = list->viewport()->grab(list->visualRect(row("baseline"))).toImage();
  QTest::keyClick(list, Qt::Key_Space);
  EXPECT_EQ(page->beside(), QStringList(folder("baseline")));
  EXPECT_NE(list->viewport()->grab(list->visualRect(row("baseline"))).toImage(), before) << "it has a mark";
  ASSERT_TRUE(waitFor([&] { return find<QTreeView>("differenceTable")->model()->rowCount() > 0; }));
  page->setRuns(page->model()->runs());
  EXPECT_EQ(cursor(), folder("baseline")) << "reading the list anew leaves the cursor alone";
  QTest::keyClick(list, Qt::Key_Space);
  EXPECT_TRUE(page->beside().isEmpty());
  const QPoint at = list->visualRect(row("baseline")).center();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::ControlModifier, at);
  EXPECT_EQ(page->beside(), QStringList(folder("baseline")));
  QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::ControlModifier, at);
  EXPECT_TRUE(page->beside().isEmpty());
  QTest::mouseClick(list->viewport(), Qt::RightButton, {}, at);
  QContextMenuEvent asked(QContextMenuEvent::Mouse, at, list->viewport()->mapToGlobal(at));
  QApplication::sendEvent(list->viewport(), &asked);
  EXPECT_EQ(page->selectedRun(), folder("night-walkers")) << "a menu shows no run";
  auto* menu = list->findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  for (QAction* action : menu->actions())
    if (action->text() == QLatin1String("Show beside the run on show")) action->trigger();
  menu->close();
  EXPECT_EQ(page->beside(), QStringList(folder("baseline")));
  QTest::keyClick(list, Qt::Key_Return);
  EXPECT_EQ(page->selectedRun(), folder("baseline"));
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(row("night-walkers")).center());
  EXPECT_EQ(page->selectedRun(), folder("night-walkers"));
  QTest::keyClick(list, static_cast<Qt::Key>(there));
  EXPECT_EQ(page->selectedRun(), folder("baseline")) << "arrows show";
}

TEST_F(RunActions, ARunThatFailedBeforeItsFirstCheckpointSaysWhyAndStartsAgain) {
  runs::FakeRun killed(home / "runs/killed", wallSeconds() - 100);
  killed.node(0, "hello", {{"host", "elsewhere"}, {"pid", 1}});
  killed.hello();
  killed.steps(1, 5, 1.0);
  killed.node(0, "bye",
              {{"reason", "failed"}, {"exit_code", 1}, {"message", "rank 0 failed first: killed by SIGKILL"}});
  killed.close();
  home.write("runs/killed/run.yaml", "model_name_or_path: /models/paligemma2-3b-pt-224\noutput_dir: /runs/killed\n");
  studio::Options options;
  options.runRoots = {QString::fromStdString((home / "runs").string())};
  options.run = folder("killed");
  open(options);
  page = window()->runsPage();
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1 && !page->notice()->text().isEmpty(); }));
  EXPECT_TRUE(page->notice()->text().startsWith("The run failed: killed by SIGKILL\nTry: "))
      << page->notice()->text().toStdString();
  EXPECT_FALSE(find<widgets::ElidedLabel>("runPhase")->text().contains("rank"))
      << find<QLabel>("runPhase")->text().toStdString();
  EXPECT_FALSE(find<QToolButton>("resumeRun")->isVisible());
  const auto* phase = find<widgets::ElidedLabel>("runPhase");
  EXPECT_FALSE(phase->text().contains("SIGKILL")) << "said once, and that is above";
  EXPECT_FALSE(find<QToolButton>("restartRun")->isVisible()) << "the notice has it";
  auto* list = find<QListView>("runList");
  emit list->customContextMenuRequested(list->visualRect(list->model()->index(0, 0)).center());
  auto* menu = list->findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  EXPECT_FALSE(menu->findChild<QAction*>("runResume")->isEnabled());
  EXPECT_NE(menu->findChild<QAction*>("runAgain"), nullptr);
  menu->close();
  auto* again = page->notice()->findChild<QPushButton*>("noticeAction");
  EXPECT_EQ(again->text(), "Start again");
  page->notice()->clear();
  EXPECT_TRUE(phase->text().contains("killed by SIGKILL")) << phase->text().toStdString();
  EXPECT_TRUE(find<QToolButton>("restartRun")->isVisible());
  QTest::mouseClick(find<QToolButton>("restartRun"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Train; }));
  const QString yaml = QString::fromStdString(studio->train()->document().document().text());
  EXPECT_TRUE(yaml.contains("killed-again")) << yaml.toStdString();
  EXPECT_FALSE(yaml.contains("resume_from_checkpoint")) << yaml.toStdString();
}

TEST_F(RunActions, NothingOfAnotherRunStandsUnderTheNameOfOneThatCannotBeRead) {
  openTwo();
  home.write("runs/future/events/rank-000.jsonl", "{\"v\":99,\"kind\":\"hello\",\"seq\":0}\n");
  home.write("runs/future/run.yaml", "seed: 1\n");
  page->selectRun(folder("future"));
  const auto words = [&] {
    QStringList all;
    for (const QLabel* label : page->findChildren<QLabel*>())
      if (label->isVisible()) all << label->text();
    return all.join('|').remove(QChar(0x200b));
  };
  ASSERT_TRUE(waitFor([&] { return words().contains("This run cannot be read"); })) << words().toStdString();
  EXPECT_TRUE(words().contains("99")) << words().toStdString();
  EXPECT_FALSE(page->header()->isVisible());
  page->selectRun(folder("baseline"));
  EXPECT_TRUE(waitFor([&] { return page->header()->isVisible() && !words().contains("cannot be read"); }));
}

TEST_F(RunActions, ResultsAreMadeFromThePaletteToo) {
  openTwo();
  window()->setPage(studio::Page::Data);
  auto* command = window()->findChild<QAction*>("predictCommand");
  ASSERT_NE(command, nullptr);
  command->trigger();
  EXPECT_EQ(window()->page(), studio::Page::Runs);
  auto* panel = window()->findChild<QWidget*>("resultPanel");
  ASSERT_NE(panel, nullptr);
  EXPECT_TRUE(waitFor([&] { return panel->isVisible(); }));
}

TEST_F(RunActions, TheViewIsExportedAsPictureDrawingAndNumbers) {
  openTwo();
  for (const char* kind : {"png", "svg", "csv"}) {
    find<QToolButton>("exportPlots")->menu();
    page->findChild<QAction*>(QStringLiteral("export_") + QLatin1String(kind))->trigger();
    auto* dialog = window()->findChild<QFileDialog*>("exportDialog");
    ASSERT_NE(dialog, nullptr);
    const QString file = QString::fromStdString((home / "out").string()) + QLatin1Char('.') + QLatin1String(kind);
    emit dialog->fileSelected(file);
    dialog->close();
    ASSERT_TRUE(waitFor([&] { return QFile::exists(file) && !window()->findChild<QFileDialog*>("exportDialog"); }))
        << kind;
  }
  EXPECT_NE(readAll(home / "out.svg").find("<svg"), std::string::npos);
  const std::string csv = readAll(home / "out.csv");
  EXPECT_EQ(csv.rfind("step,time,", 0), 0u);
  EXPECT_GT(std::count(csv.begin(), csv.end(), '\n'), 300);
}

TEST_F(RunActions, TheMenuOfAPlotTakesItsNumbersAndItsPictureElsewhere) {
  openTwo();
  QWidget* canvas = loss->canvas();
  const auto words = [] { return QApplication::clipboard()->text(); };
  canvas->setFocus();
  chooseInMenu([&] { QTest::keyClick(canvas, Qt::Key_F10, Qt::ShiftModifier); }, "Copy the latest values");
  EXPECT_TRUE(words().startsWith(QString::fromUtf8("Loss · training, smoothed 0."))) << words().toStdString();
  EXPECT_TRUE(words().contains("each step 0.")) << "the raw loss is named";
  QTest::keyClick(canvas, Qt::Key_Right);
  chooseInMenu([&] { openMenuByKey(canvas); }, "Copy the values at step 20");
  EXPECT_TRUE(words().startsWith(QString::fromUtf8("Loss · step 20"))) << words().toStdString();
  const QPoint at(canvas->width() / 4, 20);
  const auto rightClick = [&] {
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, canvas->mapToGlobal(at));
    QApplication::sendEvent(canvas, &asked);
  };
  chooseInMenu(rightClick, "Copy the values at step ");
  chooseInMenu(rightClick, "Copy the picture");
  EXPECT_EQ(QApplication::clipboard()->image().width(), loss->width() * 2);
  for (const char* kind : {"png", "svg"}) {
    chooseInMenu(rightClick, "Save the picture");
    auto* dialog = window()->findChild<QFileDialog*>("savePlotDialog");
    ASSERT_NE(dialog, nullptr);
    const QString file = QString::fromStdString((home / "loss").string()) + QLatin1Char('.') + QLatin1String(kind);
    emit dialog->fileSelected(file);
    dialog->close();
    ASSERT_TRUE(waitFor([&] { return !window()->findChild<QFileDialog*>("savePlotDialog"); }));
    EXPECT_TRUE(QFile::exists(file)) << kind;
  }
  EXPECT_NE(readAll(home / "loss.svg").find("Loss"), std::string::npos);
  page->plots()->zoomTo({100, 200});
  chooseInMenu(rightClick, "Show the whole run");
  EXPECT_TRUE(page->plots()->fitted());
}

TEST_F(RunActions, ARunGetsAnotherName) {
  openTwo();
  emit page->renameRequested(folder("baseline"));
  answerPrompt(window(), "renamePrompt", "first of all");
  ASSERT_TRUE(waitFor([&] {
    return page->model()->index(page->model()->rowOf(folder("baseline"))).data().toString() == "first of all";
  }));
}

TEST_F(RunActions, ARunGoesToTheTrashAndComesBack) {
  openTwo();
  emit page->deleteRequested(folder("baseline"));
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1; })) << page->notice()->text().toStdString();
  QTest::mouseClick(page->notice()->findChild<QPushButton*>("noticeAction"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 2; }));
}

TEST_F(RunActions, CtrlZBringsARunBackFromTheTrash) {
  openTwo();
  emit page->deleteRequested(folder("baseline"));
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1; })) << page->notice()->text().toStdString();
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 2; }));
  EXPECT_TRUE(QFile::exists(folder("baseline") + "/run.yaml"));
  EXPECT_EQ(page->notice()->text(), "") << "what was said of the trash no longer holds";
}

TEST_F(RunActions, TagsColoursAndPinsAreKeptAndTakenBack) {
  openTwo();
  const QString path = folder("baseline");
  auto* list = find<QListView>("runList");
  const auto row = [&] { return page->model()->index(page->model()->rowOf(path)); };
  emit page->tagRequested(path);
  answerPrompt(window(), "runTagPrompt", "night shift");
  EXPECT_EQ(row().data(widgets::RunListModel::TagsRole).toStringList(), QStringList("night shift"));
  find<QLineEdit>("runFilter")->setText("night sh");
  ASSERT_EQ(list->model()->rowCount(), 1)
      << "tags are found by the filter: " << row().data(widgets::RunListModel::SearchRole).toString().toStdString();
  const QRect place = list->visualRect(list->model()->index(0, 0));
  emit list->customContextMenuRequested(place.center());
  auto* menu = list->findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  EXPECT_TRUE(menu->findChild<QAction*>("runTag_night shift")->isChecked());
  menu->findChild<QAction*>("runColour_4")->trigger();
  menu->findChild<QAction*>("runPin")->trigger();
  menu->close();
  find<QLineEdit>("runFilter")->clear();
  EXPECT_TRUE(row().data(widgets::RunListModel::PinnedRole).toBool());
  EXPECT_EQ(row().data(widgets::RunListModel::ColourRole).value<QColor>(), widgets::seriesColour(4));
  const auto alone = loss->curves().size();
  page->toggleBeside(path);
  EXPECT_EQ(row().data(widgets::RunListModel::BesideRole).value<QColor>(), widgets::seriesColour(4));
  ASSERT_TRUE(waitFor(
      [&] { return loss->specs().size() == 2 * alone && loss->specs().back().colour == widgets::seriesColour(4); }));
  window()->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(window()));
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_FALSE(row().data(widgets::RunListModel::PinnedRole).toBool());
  QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_FALSE(row().data(widgets::RunListModel::ColourRole).isValid());
  QTest::keyClick(window(), Qt::Key_Y, Qt::ControlModifier);
  EXPECT_TRUE(row().data(widgets::RunListModel::ColourRole).isValid());
  window()->close();
  studio.reset();
  studio::Options again;
  again.runRoots = {QString::fromStdString((home / "runs").string())};
  open(again);
  ASSERT_TRUE(waitFor([&] { return window()->runsPage()->model()->rowCount() == 2; }));
  const auto marks = window()->runsPage()->model()->marks(path);
  EXPECT_EQ(marks.tags, QStringList("night shift"));
  EXPECT_EQ(marks.colour, 4);
}

TEST_F(RunActions, ARunInTheTrashMakesWayForTheNextOne) {
  openTwo();
  auto* list = find<QListView>("runList");
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Delete);
  EXPECT_EQ(page->selectedRun(), folder("baseline"));
  EXPECT_TRUE(page->notice()->text().contains("is in the trash")) << page->notice()->text().toStdString();
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1; }));
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Delete);
  EXPECT_EQ(page->selectedRun(), "");
  EXPECT_TRUE(find<QPushButton>("emptyTrain")->isVisible()) << "no buttons of a run that is gone";
  EXPECT_TRUE(page->notice()->isVisible()) << "one can still take it back";
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 0; }));
  QTest::mouseClick(page->notice()->findChild<QPushButton*>("noticeAction"), Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1; }));
}

TEST_F(RunActions, ABranchSetsUpANewRunFromACheckpoint) {
  openTwo();
  emit page->branchRequested(folder("night-walkers"), folder("night-walkers") + "/checkpoint-200");
  ASSERT_TRUE(waitFor([&] { return window()->page() == studio::Page::Train; }));
  const QString yaml = QString::fromStdString(studio->train()->document().document().text());
  EXPECT_TRUE(yaml.contains("checkpoint-200")) << yaml.toStdString();
  EXPECT_TRUE(yaml.contains("night-walkers-branch")) << yaml.toStdString();
}

}  // namespace
}  // namespace roadtune::testing
