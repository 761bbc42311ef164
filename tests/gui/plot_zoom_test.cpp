// SPDX-License-Identifier: GPL-3.0-or-later
// Plots that show a small part of a run: lines go on between samples, and scales fit what is there.
#include "tests/gui/shown_plots.h"
#include "widgets/common/theme.h"
#include "widgets/plot/axis_range.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"
#include "widgets/plot/plot_legend.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include <vector>

namespace roadtune::widgets {
namespace {

using PlotZoom = ShownPlots;

TEST_F(PlotZoom, ALineGoesFromEdgeToEdgeWhereNoSampleIs) {
  CurveData few;
  few.x = {480, 490, 500, 510};
  few.y = {1, 2, 3, 1000};
  a->setCurves({{"curve", seriesColour(0)}}, {few});
  grid.zoomTo({492, 498});
  a->setCurves({{"curve", seriesColour(0)}}, {few});
  QTest::qWait(50);
  const QImage shown = a->canvas()->parentWidget()->grab(a->canvas()->geometry()).toImage();
  int columns = 0;
  for (int x = 0; x < shown.width(); ++x) {
    bool any = false;
    for (int y = 0; y < shown.height(); ++y) any |= shown.pixelColor(x, y).blue() - shown.pixelColor(x, y).red() > 40;
    columns += any;
  }
  EXPECT_GE(columns, shown.width() * 9 / 10);
  a->showCrosshair(493);
  EXPECT_EQ(a->findChild<PlotLegend*>()->entries()[0].value, "2 (step 490)") << "the nearest, and where it is";
  a->showCrosshair(497);
  EXPECT_EQ(a->findChild<PlotLegend*>()->entries()[0].value, "3 (step 500)");
}

TEST_F(PlotZoom, NobodyZoomsInToLessThanTwoSteps) {
  for (int i = 0; i < 60; ++i) QTest::keyClick(a->canvas(), Qt::Key_Plus);
  EXPECT_DOUBLE_EQ(a->range().size(), 2);
  grid.zoomTo({500, 500.1});
  EXPECT_DOUBLE_EQ(a->range().size(), 2);
}

TEST_F(PlotZoom, AClickAnswersAtOnceAndADoubleClickTakesItBack) {
  QSignalSpy clicked(&grid, &PlotGrid::clicked), takenBack(&grid, &PlotGrid::clickTakenBack);
  grid.zoomTo({200, 300});
  const QPoint middle = a->canvas()->rect().center();
  QTest::mouseClick(a->canvas(), Qt::LeftButton, {}, middle);
  EXPECT_EQ(clicked.count(), 1) << "without a wait for what may come";
  EXPECT_EQ(takenBack.count(), 0);
  QTest::mouseDClick(a->canvas(), Qt::LeftButton, {}, middle);
  QTest::mouseRelease(a->canvas(), Qt::LeftButton, {}, middle);
  EXPECT_TRUE(grid.fitted());
  EXPECT_EQ(clicked.count(), 1);
  EXPECT_EQ(takenBack.count(), 1);
}

TEST(LogScale, IsAsHighAsTheCurve) {
  CurveData loss;
  for (int i = 0; i < 100; ++i) {
    loss.x.push_back(i);
    loss.y.push_back(0.7 + 7.3 * (100 - i) / 100);
  }
  const std::vector<CurveSpec> specs{{"loss", Qt::blue}};
  EXPECT_EQ(fittedLogRange(specs, {loss}), (Range{0.5, 10}));
  loss.y[50] = 0;
  EXPECT_EQ(fittedLogRange(specs, {loss}), (Range{0.5, 10})) << "nothing has no place on it";
  CurveData flat;
  flat.x = {1, 2};
  flat.y = {1e-3, 1e-3};
  const Range around = fittedLogRange(specs, {flat});
  EXPECT_LT(around.low, 1e-3);
  EXPECT_GT(around.high, 1e-3);
  EXPECT_GT(fittedLogRange(specs, {CurveData{}}).low, 0);
}

TEST(WhatARangeShows, BeginsAndEndsOnTheLine) {
  CurveData curve;
  curve.x = {0, 10, 20};
  curve.y = {0, 100, 0};
  const CurveData part = within({curve}, {5, 8})[0];
  EXPECT_EQ(part.x, (std::vector<double>{5, 8}));
  EXPECT_EQ(part.y, (std::vector<double>{50, 80}));
  EXPECT_EQ(within({curve}, {10, 30})[0].y, (std::vector<double>{100, 0}));
  EXPECT_TRUE(within({curve}, {30, 40})[0].y.empty());
}

}  // namespace
}  // namespace roadtune::widgets
