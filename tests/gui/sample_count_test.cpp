// SPDX-License-Identifier: GPL-3.0-or-later
// Plots over the samples that a run has seen.
#include "app/studio/sample_count.h"

#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <QComboBox>
#include <QLabel>
#include <QListView>

namespace roadtune::studio {
namespace {

runs::Series seriesOf(std::initializer_list<std::pair<std::int64_t, double>> points) {
  runs::Series series(runs::Axis::Step);
  for (const auto& [step, value] : points) series.append({step, double(step), value});
  return series;
}

TEST(SampleCount, AddsUpWhatEachStepHadAndGoesBack) {
  SampleCount count;
  const auto steps = seriesOf({{1, 64}, {2, 64}, {3, 20}, {4, 64}});  // a short step ends the epoch
  count.follow(&steps);
  EXPECT_EQ(count.at(1), 64);
  EXPECT_EQ(count.at(3), 148);
  EXPECT_EQ(count.at(4), 212);
  EXPECT_EQ(count.at(2.5), 138) << "evenly within a step";
  EXPECT_EQ(count.stepAt(148), 3);
  EXPECT_EQ(count.stepAt(180), 3.5);
  EXPECT_EQ(count.at(0), 0);
}

TEST(SampleCount, ReadsOnWhenTheSeriesHasGrown) {
  SampleCount count;
  auto steps = seriesOf({{1, 8}, {2, 8}});
  count.follow(&steps);
  steps.append({3, 3, 8});
  count.follow(&steps);
  count.follow(&steps);
  EXPECT_EQ(count.at(3), 24);
}

TEST(SampleCount, ARunThatIsReadFromTheMiddleTakesTheRestForAlike) {
  SampleCount count;
  const auto steps = seriesOf({{101, 8}, {102, 8}});
  count.follow(&steps);
  EXPECT_EQ(count.at(102), 816);
}

TEST(SampleCount, WithoutSamplesThereIsNothingToCount) {
  SampleCount count;
  count.follow(nullptr);
  EXPECT_TRUE(count.empty());
  EXPECT_EQ(count.at(7), 7);
}

struct OverSamples : testing::StudioTest {};

TEST_F(OverSamples, PlotsCountWhatWasLearnedFrom) {
  testing::drawRun({.folder = home / "runs/drawn", .totalSteps = 100, .gpus = 1});
  studio::Options options;
  options.runRoots = {QString::fromStdString((home / "runs").string())};
  options.page = "runs";
  open(options);
  auto* page = window()->runsPage();
  ASSERT_TRUE(waitFor([&] { return page->model()->rowCount() == 1; }));
  auto* list = find<QListView>("runList");
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
  const auto* loss = page->plots()->plot(QStringLiteral("loss"));
  ASSERT_TRUE(waitFor([&] { return !loss->curves().empty(); }));
  EXPECT_EQ(page->plots()->visible().high, 100);
  auto* axis = find<QComboBox>("plotAxis");
  axis->setFocus();
  QTest::keyClick(axis, Qt::Key_End);
  EXPECT_EQ(axis->currentText(), "Over samples");
  ASSERT_TRUE(waitFor([&] { return page->plots()->visible().high == 6400; })) << "64 in each step";
  ASSERT_TRUE(waitFor([&] { return !loss->curves().empty() && loss->curves().front().x.back() == 6400; }));
  const auto* cards = page->plots()->plot(QStringLiteral("utilization"));
  ASSERT_FALSE(cards->curves().empty());
  EXPECT_NEAR(cards->curves().front().x.back(), 6400, 128) << "and what machines told meanwhile";

  // A click asks for the step that the place belongs to, whatever is counted below the plots.
  const auto* title = find<QLabel>("stepTitle");
  QWidget* canvas = loss->canvas();
  QTest::mouseClick(canvas, Qt::LeftButton, {}, {canvas->width() / 2, 20});
  ASSERT_TRUE(waitFor([&] { return title->text().startsWith("Step "); })) << title->text().toStdString();
  EXPECT_NEAR(title->text().mid(5).toInt(), 50, 2);
  page->detail()->clearStep();
  QTest::keyClick(axis, Qt::Key_Up);
  EXPECT_EQ(axis->currentText(), "Over time");
  ASSERT_TRUE(waitFor([&] { return page->plots()->visible().high < 100; })) << "half a second each";
  QTest::mouseClick(canvas, Qt::LeftButton, {}, {canvas->width() * 4 / 5, 20});
  ASSERT_TRUE(waitFor([&] { return title->text().startsWith("Step ") && title->text().mid(5).toInt() > 60; }))
      << title->text().toStdString();
  EXPECT_NEAR(title->text().mid(5).toInt(), 80, 3);
}

}  // namespace
}  // namespace roadtune::studio
