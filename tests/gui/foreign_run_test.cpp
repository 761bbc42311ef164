// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of other programs: folders that the real TensorBoard writer wrote, on show with whatever they logged.
#include "tests/gui/studio_fixture.h"
#include "tests/support/program.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QLabel>
#include <QListView>
#include <QToolButton>

namespace roadtune::testing {
namespace {

struct ForeignRun : StudioTest {
  void write(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{oraclePython(), ROADTUNE_SOURCE_DIR "/tests/gui/tensorboard_write.py",
                                   home / "logs"};
    words.insert(words.end(), more.begin(), more.end());
    const auto written = runProgram(words, {.timeoutSeconds = 120});
    ASSERT_EQ(written.exitCode, 0) << written.err;
  }
  void openRuns() {
    studio::Options options;
    options.runRoots = {QString::fromStdString((home / "logs").string())};
    options.page = "runs";
    open(options);
    page = window()->runsPage();
  }
  void choose(const QString& name) const {
    auto* list = find<QListView>("runList");
    for (int row = 0; row < list->model()->rowCount(); ++row)
      if (const QModelIndex index = list->model()->index(row, 0); index.data().toString() == name)
        return QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
    FAIL() << name.toStdString();
  }
  const widgets::CurveData* curve(const char* key) const {
    const widgets::CurvePlot* plot = page->plots()->plot(QLatin1String(key));
    return plot && plot->isVisible() && !plot->curves().empty() ? &plot->curves().back() : nullptr;
  }
  widgets::RunsPage* page = nullptr;
};

TEST_F(ForeignRun, FoldersOfTensorboardShowAllThatTheyLogged) {
  if (!std::filesystem::exists(oraclePython()))
    GTEST_SKIP() << "the packages to compare with are not set up (./dev setup)";
  write();
  openRuns();
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 2; })) << "nested folders, too";
  choose("lr-1e-4");
  ASSERT_TRUE(waitFor([&] { return curve("loss") != nullptr; }));
  EXPECT_EQ(page->plots()->visible().high, 99);
  EXPECT_NEAR(curve("loss")->x.back(), 99, 1e-9);
  ASSERT_TRUE(curve("tag:mAP")) << "what has no plot of ours gets one";
  EXPECT_NEAR(curve("tag:mAP")->latest, 99 / 200.0, 0.3) << "smoothed";
  EXPECT_TRUE(curve("tag:head/class_error"));
  EXPECT_FALSE(page->plots()->plot("utilization")->isVisible()) << "it says nothing of cards";
  EXPECT_FALSE(find<QToolButton>("stopRun")->isVisible()) << "nor can it be told anything";

  // It is followed: the writer goes on.
  write({"more"});
  ASSERT_TRUE(waitFor([&] { return page->plots()->visible().high == 139; }, 30));
  EXPECT_NEAR(curve("loss")->x.back(), 139, 1e-9);

  choose("seed 2");
  ASSERT_TRUE(waitFor([&] { return curve("tag:accuracy") && !curve("tag:mAP"); })) << "a run without a loss";
  EXPECT_EQ(page->plots()->visible().high, 1000);
  EXPECT_EQ(page->plots()->plot("tag:accuracy")->curves()[0].marks, std::vector<double>{1000}) << "the NaN";
}

}  // namespace
}  // namespace roadtune::testing
