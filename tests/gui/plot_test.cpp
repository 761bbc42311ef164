// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/shown_plots.h"
#include "tests/support/temp_folder.h"
#include "widgets/common/theme.h"
#include "widgets/plot/axis_range.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"
#include "widgets/plot/plot_legend.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QFile>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace roadtune::widgets {
namespace {

using PlotsOnShow = ShownPlots;

TEST(AxisText, HasOneUnitAndAsManyDecimalsAsTheStepNeeds) {
  const auto axis = [](ValueKind kind, double step, int count, double first) {
    QStringList all;
    for (int i = 0; i < count; ++i) all << axisText(first + i * step, kind, step, first + (count - 1) * step);
    return all.join(QStringLiteral(", ")).toStdString();
  };
  EXPECT_EQ(axis(ValueKind::Bytes, 250e6, 7, 0), "0.00 GB, 0.25 GB, 0.50 GB, 0.75 GB, 1.00 GB, 1.25 GB, 1.50 GB");
  EXPECT_EQ(axis(ValueKind::Bytes, 20e6, 3, 0), "0 MB, 20 MB, 40 MB");
  EXPECT_EQ(axis(ValueKind::Plain, 0.005, 3, 7.7), "7.700, 7.705, 7.710");
  EXPECT_EQ(axis(ValueKind::Plain, 2, 3, -2), "-2, 0, 2");
  EXPECT_EQ(axisText(3e-7, ValueKind::Plain, 1e-7, 4e-7), valueText(3e-7, ValueKind::Plain));
}

TEST_F(PlotsOnShow, DraggingZoomsAllPlotsAndDoubleClickFits) {
  QWidget* canvas = a->canvas();
  QSignalSpy asked(&grid, &PlotGrid::viewChanged);
  const int y = canvas->height() / 2;
  QTest::mousePress(canvas, Qt::LeftButton, {}, {canvas->width() / 4, y});
  QTest::mouseMove(canvas, {canvas->width() / 2, y});
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, {canvas->width() / 2, y});
  ASSERT_GE(asked.count(), 1);
  EXPECT_NEAR(b->range().low, 250, 5);
  EXPECT_NEAR(b->range().high, 500, 5);
  EXPECT_FALSE(grid.fitted());
  QTest::mouseDClick(canvas, Qt::LeftButton, {}, {20, y});
  EXPECT_TRUE(grid.fitted());
  EXPECT_EQ(b->range(), (Range{0, 1000}));
}

TEST_F(PlotsOnShow, WheelZoomsAroundTheCursor) {
  QWidget* canvas = a->canvas();
  const QPointF at(canvas->width() / 2.0, 20);
  QWheelEvent event(at, canvas->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(canvas, &event);
  EXPECT_NEAR(b->range().size(), 800, 1);
  EXPECT_NEAR((b->range().low + b->range().high) / 2, 500, 3);
}

TEST_F(PlotsOnShow, AClickChoosesAPoint) {
  QSignalSpy clicked(&grid, &PlotGrid::clicked);
  QTest::mouseClick(a->canvas(), Qt::LeftButton, {}, {a->canvas()->width() / 2, 30});
  ASSERT_EQ(clicked.count(), 1);
  EXPECT_NEAR(clicked[0][0].toDouble(), 500, 5);
}

TEST_F(PlotsOnShow, TheCrosshairGoesOverAllPlots) {
  QTest::mouseMove(a->canvas(), {a->canvas()->width() / 2, 30});
  QTest::qWait(30);
  const QImage with = b->grab().toImage();
  grid.plot("b")->hideCrosshair();
  EXPECT_NE(with, b->grab().toImage());
}

TEST_F(PlotsOnShow, TheCrosshairReadsNothingWhereACurveHasEnded) {
  a->setCurves({{"long", seriesColour(0)}, {"short", seriesColour(1)}}, {ramp(1000), ramp(12)});
  const auto* legend = a->findChild<PlotLegend*>();
  a->showCrosshair(5);
  EXPECT_NE(legend->entries()[1].value, "–");
  a->showCrosshair(500);
  EXPECT_NE(legend->entries()[0].value, "–");
  EXPECT_EQ(legend->entries()[1].value, "–");
  a->hideCrosshair();
  EXPECT_EQ(legend->entries()[1].value, "0.3585") << "the last one";
}

TEST_F(PlotsOnShow, CurvesAreReadOnADarkGround) {
  Theme::instance().apply(ThemeChoice::Dark);
  a->setCurves({{"curve", seriesColour(0)}}, {ramp(1000)});
  const QColor shown = a->findChild<PlotLegend*>()->entries()[0].colour;
  Theme::instance().apply(ThemeChoice::Light);
  const auto light = [](const QColor& colour) {
    const auto linear = [](double part) {
      return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.05 + 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
  };
  EXPECT_GE(light(shown) / light(darkTokens().surface), 4.5) << shown.name().toStdString();
  a->setCurves({{"curve", seriesColour(0)}}, {ramp(1000)});
  EXPECT_EQ(a->findChild<PlotLegend*>()->entries()[0].colour, seriesColour(0)) << "as it is on a light one";
}

TEST_F(PlotsOnShow, AHiddenPlotLeavesNoGap) {
  const int before = b->x();
  grid.setShown("a", false);
  QTest::qWait(10);
  EXPECT_LT(b->x(), before);
}

TEST(HiddenPlots, AskForNothingUntilTheirWidthIsKnown) {
  QWidget window;
  auto* grid = new PlotGrid(&window);
  CurvePlot* plot = grid->add("a", new CurvePlot("A", ValueKind::Plain));
  QSignalSpy asked(grid, &PlotGrid::viewChanged);
  window.resize(900, 300);
  grid->resize(900, 300);
  QTest::qWait(20);
  EXPECT_EQ(asked.count(), 0);
  EXPECT_GE(grid->columns(), 900) << "rather too many points than too few";
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  ASSERT_TRUE(QTest::qWaitFor([&] { return asked.count() > 0; }, 5000));
  EXPECT_EQ(grid->columns(), plot->columns());
  const int wide = grid->columns();
  asked.clear();
  grid->resize(500, 300);
  ASSERT_TRUE(QTest::qWaitFor([&] { return asked.count() > 0; }, 5000));
  const int narrow = grid->columns();
  EXPECT_EQ(wide - narrow, 400);
  asked.clear();
  window.hide();
  grid->resize(900, 300);
  QTest::qWait(20);
  EXPECT_EQ(asked.count(), 0);
  EXPECT_EQ(grid->columns(), narrow) << "as it was seen last";
}

TEST(CurvePlotPen, IsOneLineOfTheDesktopOnEveryScreen) {
  for (const int ratio : {1, 2, 3}) {
    QImage picture(20 * ratio, 20 * ratio, QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    painter.setPen(CurvePlot::linePen(Qt::black, ratio));
    painter.drawLine(QPointF(0, 10.5), QPointF(20, 10.5));
    painter.end();
    int dark = 0;
    for (int y = 0; y < picture.height(); ++y) dark += picture.pixelColor(10 * ratio, y) == QColor(Qt::black);
    EXPECT_EQ(dark, ratio);
  }
}

TEST_F(PlotsOnShow, APlotThatComesLaterShowsTheSameStretch) {
  grid.setXAxis(XAxis::Time);
  CurvePlot* late = grid.add("late", new CurvePlot("Late", ValueKind::Plain));
  EXPECT_EQ(late->range(), (Range{0, 1000}));
}

TEST_F(PlotsOnShow, OnePointIsSeen) {
  const auto dark = [](const QImage& picture) {
    int count = 0;
    for (int y = picture.height() / 3; y < picture.height() * 3 / 4; ++y)
      for (int x = picture.width() / 4; x < picture.width() * 3 / 4; ++x)
        count += picture.pixelColor(x, y) == seriesColour(0);
    return count;
  };
  CurveData one;
  one.x = {500};
  one.y = {0.5};
  a->setCurves({{"curve", seriesColour(0)}}, {one});
  QTest::qWait(30);
  EXPECT_GT(dark(a->grab().toImage()), 5);
}

TEST_F(PlotsOnShow, TheCrosshairMarksAValueAtTheVeryTop) {
  CurveData full = ramp(100);
  std::fill(full.y.begin(), full.y.end(), 100.0);
  a->setFixedY({0, 100});
  a->setCurves({{"curve", seriesColour(5)}}, {full});
  grid.setWhole({0, 99});
  QTest::qWait(30);
  QWidget* canvas = a->canvas();
  const auto dot = [&] {
    const QImage shown = canvas->grab().toImage();
    int found = 0;
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < shown.width(); ++x) found += shown.pixelColor(x, y) == seriesColour(5);
    return found;
  };
  const int before = dot();
  QTest::mouseMove(canvas, canvas->rect().center());
  QTest::qWait(30);
  EXPECT_GE(dot() - before, 15) << "a whole dot";
}

TEST_F(PlotsOnShow, TheFewStepsOfAShortRunAreCountedInWholeNumbers) {
  CurveData curve;
  for (int step = 0; step <= 3; ++step) {
    curve.x.push_back(step);
    curve.y.push_back(40 + 10 * step);
  }
  grid.setWhole({0, 3});
  for (CurvePlot* plot : {a, b}) plot->setCurves({{"curve", seriesColour(0)}}, {curve});
  const testing::TempFolder folder;
  const QString file = QString::fromStdString((folder / "plots.svg").string());
  ASSERT_TRUE(grid.saveSvg(file));
  QFile svg(file);
  ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
  static const QRegularExpression kText(QStringLiteral(">\\s*([0-9]+(?:\\.[0-9]+)?)\\s*</text>"));
  QStringList steps;  // values are all above them
  for (auto found = kText.globalMatch(QString::fromUtf8(svg.readAll())); found.hasNext();)
    if (const QString number = found.next().captured(1); number.toDouble() < 4) steps << number;
  EXPECT_EQ(steps, QStringList({"0", "1", "2", "3", "0", "1", "2", "3"})) << steps.join(' ').toStdString();
}

TEST_F(PlotsOnShow, WithoutValuesAPlotSaysSoInPlaceOfItsAxes) {
  const auto axes = [this] { return a->grab(QRect(0, a->height() - 24, a->width(), 20)).toImage(); };
  QTest::qWait(30);
  const QImage before = axes();
  a->setCurves({{"curve", seriesColour(0)}}, {CurveData{}});
  QTest::qWait(30);
  EXPECT_EQ(a->canvas()->accessibleDescription(), "No values.");
  EXPECT_NE(axes(), before);
  a->setCurves({{"curve", seriesColour(0)}}, {ramp(1000)});
  QTest::qWait(30);
  EXPECT_EQ(a->canvas()->accessibleDescription(), "");
  EXPECT_EQ(axes(), before);
}

TEST_F(PlotsOnShow, NonFiniteValuesLeaveAMark) {
  const QImage plain = a->grab().toImage();
  CurveData curve = ramp(1000);
  curve.marks = {500};
  a->setCurves({{"curve", seriesColour(0)}}, {curve});
  QTest::qWait(50);
  const QImage marked = a->grab().toImage();
  const QColor bad = Theme::tokens().bad;
  int found = 0;
  for (int y = 0; y < marked.height(); ++y) {
    for (int x = 0; x < marked.width(); ++x) {
      found += QColor(marked.pixel(x, y)) == bad && QColor(plain.pixel(x, y)) != bad;
    }
  }
  EXPECT_GT(found, 4);
}

TEST(AxisRange, KeepsOutliersOfRawCurvesFromFlatteningTheRest) {
  CurveData raw, smooth;
  for (int i = 0; i < 1000; ++i) {
    raw.x.push_back(i);
    raw.y.push_back(i == 500 ? 1000.0 : 1 + 0.1 * std::sin(i));
    smooth.x.push_back(i);
    smooth.y.push_back(1);
  }
  CurveSpec faint{"raw", Qt::blue};
  faint.faint = true;
  const Range range = fittedRange({faint, {"smooth", Qt::blue}}, {raw, smooth}, false);
  EXPECT_LT(range.high, 2);
  EXPECT_GT(range.high, 1.05);
}

TEST(AxisRange, ClearCurvesKeepTheirOutliersOutOfTheScaleUnlessTheyAreAskedFor) {
  CurveData spiky = ramp(1000);
  spiky.y[500] = 1000;
  const std::vector<CurveSpec> specs{{"c", Qt::blue}};
  EXPECT_LT(fittedRange(specs, {spiky}, false).high, 8);
  EXPECT_GE(fittedRange(specs, {spiky}, false, Outliers::Shown).high, 1000);
  CurveData falling;  // a loss that starts high is no outlier
  for (int i = 0; i < 1000; ++i) {
    falling.x.push_back(i);
    falling.y.push_back(8 / (1 + i / 20.0));
  }
  EXPECT_GE(fittedRange(specs, {falling}, false).high, 8);
}

TEST_F(PlotsOnShow, WhatLiesBeyondTheScaleHasAnArrowAtTheEdge) {
  CurveData spiky = ramp(1000);
  spiky.y[500] = 1000;
  const auto arrows = [&] {
    QTest::qWait(50);
    const QImage shown = a->canvas()->parentWidget()->grab().toImage();
    int found = 0;  // pixels of the curve's colour in the topmost lines, around the middle
    for (int y = 0; y < 22; ++y)
      for (int x = shown.width() * 2 / 5; x < shown.width() * 3 / 5; ++x)
        found += QColor(shown.pixel(x, y)) == seriesColour(0);
    return found;
  };
  a->setCurves({{"curve", seriesColour(0)}}, {spiky});
  const int clipped = arrows();
  EXPECT_GT(clipped, 8) << "a triangle";
  a->setOutliers(Outliers::Shown);
  EXPECT_LT(arrows(), clipped) << "the peak of a line at most";
}

TEST(AxisRange, NothingButZerosStartsAtZero) {
  CurveData none;
  none.x = {1, 2};
  none.y = {0, 0};
  for (const bool fromZero : {true, false}) EXPECT_EQ(fittedRange({{"c", Qt::blue}}, {none}, fromZero), (Range{0, 1}));
  none.y = {-2, -2};
  EXPECT_LT(fittedRange({{"c", Qt::blue}}, {none}, false).low, -2);
}

TEST(AxisRange, DoesNotChangeWithEveryPoint) {
  CurveData curve = ramp(100);
  const Range before = fittedRange({{"c", Qt::blue}}, {curve}, false);
  curve.y.back() += 0.001;
  EXPECT_EQ(before, fittedRange({{"c", Qt::blue}}, {curve}, false));
}

TEST(AxisRange, ZoomAndShiftStayInside) {
  EXPECT_EQ(zoomed({0, 100}, 50, 2, 2, {0, 100}), (Range{0, 100}));
  EXPECT_EQ(zoomed({50, 53}, 50, 0.1, 2, {0, 100}), (Range{50, 52})) << "two steps can be read";
  EXPECT_EQ(zoomed({50, 52}, 51, 0.1, 2, {0, 100}), (Range{50, 52}));
  EXPECT_EQ(noNarrower({0, 0.5}, 2, {0, 100}), (Range{0, 2}));
  EXPECT_EQ(noNarrower({0, 0.5}, 2, {0, 1}), (Range{0, 1}));
  EXPECT_EQ(shifted({50, 100}, 30, {0, 100}), (Range{50, 100}));
  EXPECT_EQ(shifted({50, 100}, -70, {0, 100}), (Range{0, 50}));
  EXPECT_EQ(niceStep(97, 5), 20);
}

}  // namespace
}  // namespace roadtune::widgets
