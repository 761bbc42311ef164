// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/common/theme.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <gtest/gtest.h>

#include <QTest>

#include <cmath>

namespace roadtune::widgets {

inline CurveData ramp(int count) {
  CurveData curve;
  for (int i = 0; i < count; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(std::sin(i / 30.0));
  }
  curve.latest = curve.y.back();
  curve.known = true;
  return curve;
}

// Two plots of a thousand points on the screen.
struct ShownPlots : ::testing::Test {
  void SetUp() override {
    Theme::instance().apply(ThemeChoice::Light);
    a = grid.add("a", new CurvePlot("A", ValueKind::Plain));
    b = grid.add("b", new CurvePlot("B", ValueKind::Percent));
    grid.resize(1000, 320);
    grid.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&grid));
    grid.setWhole({0, 1000});
    for (CurvePlot* plot : {a, b}) plot->setCurves({{"curve", seriesColour(0)}}, {ramp(1000)});
  }
  PlotGrid grid;
  CurvePlot* a = nullptr;
  CurvePlot* b = nullptr;
};

}  // namespace roadtune::widgets
