// SPDX-License-Identifier: GPL-3.0-or-later
// That plots show what was measured where it was measured, whole, with clean lines between them.
#include "tests/gui/shown_plots.h"
#include "widgets/common/theme.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"
#include "widgets/plot/plot_legend.h"

#include <gtest/gtest.h>

#include <QPaintEvent>
#include <QRegion>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace roadtune::widgets {
namespace {

using PlotMarks = ShownPlots;

TEST_F(PlotMarks, TheCrosshairMarksAndNamesTheSampleThatIsThere) {
  CurveData few;
  few.x = {0, 250, 500, 750, 1000};
  few.y = {8, 6, 4, 2, 0};
  CurveSpec dots{"evaluation", seriesColour(1)};
  dots.dots = true;
  a->setCurves({dots}, {few});
  const auto* legend = a->findChild<PlotLegend*>();
  a->showCrosshair(340);
  EXPECT_EQ(legend->entries()[0].value, "6 (step 250)");
  QTest::qWait(30);
  const QImage shown = a->canvas()->grab().toImage();
  const auto inkAt = [&](double step) {
    const int x = qRound(4 + (shown.width() - 8) * step / 1000);
    int found = 0;
    for (int dx = -3; dx <= 3; ++dx)
      for (int y = 0; y < shown.height(); ++y) found += shown.pixelColor(x + dx, y) == seriesColour(1);
    return found;
  };
  EXPECT_GT(inkAt(250), 12) << "the mark stands on the sample";
  EXPECT_EQ(inkAt(340), 0) << "and not where nothing was measured";
  a->showCrosshair(500);
  EXPECT_EQ(legend->entries()[0].value, "4") << "it is that step";
  a->setCurves({{"curve", seriesColour(0)}}, {ramp(1000)});
  a->showCrosshair(340.3);
  EXPECT_FALSE(legend->entries()[0].value.contains("step")) << legend->entries()[0].value.toStdString();
  a->setXAxis(XAxis::Time);
  a->setCurves({dots}, {few});
  a->showCrosshair(340);
  EXPECT_EQ(legend->entries()[0].value, "6 (4:10)");
}

TEST_F(PlotMarks, PointsAtBothEndsAreWhole) {
  CurveData ends;
  ends.x = {0, 1000};
  ends.y = {0, 1};
  CurveSpec dots{"evaluation", seriesColour(1)};
  dots.dots = true;
  dots.line = Qt::NoPen;
  a->setCurves({dots}, {ends});
  QTest::qWait(30);
  const QImage shown = a->canvas()->parentWidget()->grab().toImage();
  const auto dark = [&](int from, int to) {
    int wide = 0;
    for (int x = from; x < to; ++x) {
      bool any = false;
      for (int y = 0; y < shown.height(); ++y) any |= shown.pixelColor(x, y) == seriesColour(1);
      wide += any;
    }
    return wide;
  };
  const int half = shown.width() / 2;
  EXPECT_GE(dark(0, half), 3);
  EXPECT_EQ(dark(0, half), dark(half, shown.width())) << "as wide as each other";
  a->setCurves({dots}, {ends});
  EXPECT_EQ(a->range(), (Range{0, 1000})) << "the room at the sides is no part of what is on show";
  QSignalSpy clicked(&grid, &PlotGrid::clicked);
  QTest::mouseClick(a->canvas(), Qt::LeftButton, {}, {0, 30});
  ASSERT_EQ(clicked.count(), 1);
  EXPECT_EQ(clicked[0][0].toDouble(), 0);
}

// What a widget is asked to paint.
struct PaintedRegion : QObject {
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) region += static_cast<QPaintEvent*>(event)->region();
    return false;
  }
  QRegion region;
};

TEST_F(PlotMarks, TheLinesBetweenThemFollowWhenOneMoves) {
  QTest::qWait(30);
  const QRect gap(a->geometry().right() + 1, a->y(), 1, a->height());
  PaintedRegion painted;
  grid.installEventFilter(&painted);
  a->resize(a->width() - 40, a->height());
  QTest::qWait(30);
  EXPECT_TRUE(QRegion(gap).subtracted(painted.region).isEmpty()) << "the old line is painted over";
  painted.region = {};
  b->hide();
  QTest::qWait(30);
  EXPECT_TRUE(QRegion(gap).subtracted(painted.region).isEmpty());
}

}  // namespace
}  // namespace roadtune::widgets
