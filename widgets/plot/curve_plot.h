// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/plot/axis_range.h"
#include "widgets/plot/curve_data.h"

#include <QPen>
#include <QWidget>

#include <optional>
#include <vector>

class QCustomPlot;
class QPaintDevice;

namespace roadtune::widgets {

class PlotLegend;
class PlotOverlay;

// One plot: curves over steps or time. It shows what it is given for the range on show and asks, through
// rangeRequested(), for another range; whoever owns the data answers with setCurves(). Redraws at most once per event
// loop turn.
class CurvePlot : public QWidget {
  Q_OBJECT
 public:
  CurvePlot(const QString& title, ValueKind kind, QWidget* parent = nullptr);
  ~CurvePlot() override;

  // Replaces curves and their descriptions.
  void setCurves(const std::vector<CurveSpec>& specs, std::vector<CurveData> curves);
  void setXAxis(XAxis axis);
  void setRange(const Range& visible, const Range& whole);
  void setFixedY(const Range& range) { m_fixedY = range; }  // percentages
  void setFromZero(bool on) { m_fromZero = on; }
  void setLogY(bool on);
  void setOutliers(Outliers outliers);

  const std::vector<CurveData>& curves() const { return m_curves; }
  const std::vector<CurveSpec>& specs() const { return m_specs; }
  Range range() const { return m_visible; }
  int columns() const;  // pixels of the drawing area: no use in more points than this
  QWidget* canvas() const;
  // Draws plots where they stand in their parent, with their titles, as lines rather than pixels. False: the device
  // takes no drawing.
  static bool draw(const std::vector<const CurvePlot*>& plots, QPaintDevice& device);
  const QString& title() const { return m_title; }
  QString place() const;     // of the crosshair: "step 1,240"; empty without one
  QString readings() const;  // what the legend tells, in one line

  // As thick as one line of the desktop, on a screen with so many pixels for one of its.
  static QPen linePen(const QColor& colour, double pixelRatio);

  void showCrosshair(double x);  // from another plot
  void hideCrosshair();

 signals:
  void rangeRequested(const Range& range);
  void fitRequested();
  void crosshairMoved(double x);
  void crosshairLeft();
  void clicked(double x);
  void clickTakenBack();
  void menuRequested(const QPoint& at);  // on the screen

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void connectOverlay();
  void applyTheme();
  void redraw();
  void markOutside(const CurveData& curve, const QColor& colour);
  void placeOverlay();
  void fitX();
  void fitY();
  QString placeText(double x) const;
  QString reading(const CurveSpec& spec, const CurveData& curve, std::optional<double> at) const;
  double reach() const;
  void refreshLegend(std::optional<double> at);
  double toX(double pixel) const;
  double placeAt(double pixel) const;  // of the data, also where the pixel is beside it
  double toPixel(double x) const;

  QString m_title;
  ValueKind m_kind;
  XAxis m_axis = XAxis::Step;
  Range m_visible{0, 1}, m_whole{0, 1};
  std::optional<Range> m_fixedY;
  bool m_fromZero = false, m_logY = false;
  Outliers m_outliers = Outliers::Clipped;
  std::vector<CurveSpec> m_specs;
  std::vector<CurveData> m_curves;
  std::optional<double> m_cross;
  PlotLegend* m_legend;
  QCustomPlot* m_plot;
  PlotOverlay* m_overlay;
};

}  // namespace roadtune::widgets
