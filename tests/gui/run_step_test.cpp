// SPDX-License-Identifier: GPL-3.0-or-later
// One step of a run: its numbers, what was printed about it, what it learnt from; and the buttons above.
#include "core/protocol/run_layout.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/gui/two_runs.h"
#include "tests/gui/user_hands.h"
#include "widgets/common/icons.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace roadtune::testing {
namespace {

using RunStep = TwoRuns;

TEST_F(RunStep, AClickOnAPointTellsTheStepAndWhatItLearntFrom) {
  openTwo();
  emit page->stepRequested(200);
  auto* values = find<QTreeView>("stepValues");
  ASSERT_TRUE(waitFor([&] { return values->model()->rowCount() > 3; }));
  EXPECT_EQ(find<QLabel>("stepTitle")->text(), "Step 200");
  const auto* samples = find<QTreeView>("stepSamples")->model();
  ASSERT_EQ(samples->rowCount(), 2);
  EXPECT_EQ(samples->index(1, 0).data().toString(), QString::fromUtf8("Side left · 21 · seg"));
  EXPECT_EQ(samples->index(1, 0).data(Qt::ToolTipRole).toString(), "seg/21/SIDE_LEFT");
  int grouped = 0;
  for (int row = 0; row < values->model()->rowCount(); ++row)
    grouped += values->model()->index(row, 1).data().toString().contains(
        QRegularExpression(QStringLiteral("^3[0-9],[0-9]{3}([.][0-9])?$")));
  EXPECT_EQ(grouped, 1) << "tokens per second";
}

TEST_F(RunStep, AClickOnAPlotAnswersAtOnceAndADoubleClickLeavesTheStepAsItWas) {
  openTwo();
  const auto* title = find<QLabel>("stepTitle");
  auto* tabs = find<QTabBar>("runTabs");
  const QPoint at = loss->canvas()->rect().center();
  const auto doubleClick = [&] {
    QTest::mouseClick(loss->canvas(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(loss->canvas(), Qt::LeftButton, {}, at);
    QTest::mouseRelease(loss->canvas(), Qt::LeftButton, {}, at);
    QTest::qWait(200);  // for what came too late
  };
  doubleClick();
  EXPECT_TRUE(title->text().startsWith("Click a point")) << title->text().toStdString();
  EXPECT_EQ(tabs->currentIndex(), 0);
  emit page->stepRequested(200);
  ASSERT_TRUE(waitFor([&] { return title->text() == "Step 200"; }));
  tabs->setCurrentIndex(1);
  doubleClick();
  EXPECT_EQ(title->text(), "Step 200");
  EXPECT_EQ(tabs->currentIndex(), 1) << "the tab that was open";
  const QPoint early(at.x() / 4, at.y());
  QElapsedTimer clock;
  clock.start();
  QTest::mouseClick(loss->canvas(), Qt::LeftButton, {}, early);
  ASSERT_TRUE(waitFor([&] { return title->text() != "Step 200"; }));
  EXPECT_LT(clock.elapsed(), QApplication::doubleClickInterval()) << "nobody waits for a second click";
  QTest::mouseDClick(loss->canvas(), Qt::LeftButton, {}, early);
  EXPECT_EQ(title->text(), "Step 200") << "also where its step was on show already";
  EXPECT_EQ(tabs->currentIndex(), 1);
}

TEST_F(RunStep, TheValuesOfAStepHaveUnitsAndSayWhereTheyAreFromAnotherStep) {
  openTwo();
  emit page->stepRequested(210);
  const auto* values = find<QTreeView>("stepValues")->model();
  ASSERT_TRUE(waitFor([&] { return values->rowCount() > 3; }));
  std::map<std::string, std::string> told;
  for (int row = 0; row < values->rowCount(); ++row)
    told[values->index(row, 0).data().toString().toStdString()] = values->index(row, 1).data().toString().toStdString();
  EXPECT_TRUE(told.contains("Evaluation loss (step 200)"));
  EXPECT_FALSE(told.contains("Evaluation loss")) << "it was not evaluated in this step";
  EXPECT_TRUE(told.contains("Loss"));
  EXPECT_EQ(told["Forward"], "160 ms");
  EXPECT_TRUE(told["Memory of the trainer"].ends_with(" GB")) << told["Memory of the trainer"];
}

TEST_F(RunStep, OneProcessNeedsNoNameInTheLinesOfAStep) {
  openTwo();
  const auto log = protocol::RunLayout((home / "runs/night-walkers").string());
  std::filesystem::create_directories(log.logs());
  std::ofstream(log.agentLog(0)) << "step 200 seen by the agent\n";
  page->selectRun(folder("baseline"));
  page->selectRun(folder("night-walkers"));
  emit page->stepRequested(200);
  const auto* lines = find<QPlainTextEdit>("stepLog");
  ASSERT_TRUE(waitFor([&] { return lines->toPlainText().contains("step 200"); }));
  EXPECT_TRUE(lines->toPlainText().startsWith("step 200 loss")) << lines->toPlainText().toStdString();
  EXPECT_TRUE(find<QLabel>("stepLogNote")->isVisible()) << "what its loss is a mean of";
  std::ofstream(log.rankLog(1)) << "step 200 loss 9.5\n";
  page->selectRun(folder("baseline"));
  page->selectRun(folder("night-walkers"));
  ASSERT_TRUE(waitFor([&] {
    emit page->stepRequested(200);
    return lines->toPlainText().contains("Process 2: step 200 loss 9.5");
  })) << lines->toPlainText().toStdString();
  EXPECT_TRUE(lines->toPlainText().startsWith("Process 1: step 200")) << lines->toPlainText().toStdString();
}

TEST_F(RunStep, ButtonsThatDoDifferentThingsLookDifferent) {
  openTwo();
  const auto picture = [](const QIcon& icon) { return icon.pixmap(20).toImage(); };
  const auto of = [&](const char* name) { return picture(find<QToolButton>(name)->icon()); };
  EXPECT_NE(of("evaluateRun"), picture(widgets::icon("quality")));
  EXPECT_NE(of("branchRun"), picture(widgets::icon("external")));
  EXPECT_EQ(find<QToolButton>("runResults")->toolTip(), "Report, merge, predict");
  EXPECT_EQ(find<QToolButton>("logAxis")->text(), "Log scale") << "a log is something else";
}

}  // namespace
}  // namespace roadtune::testing
