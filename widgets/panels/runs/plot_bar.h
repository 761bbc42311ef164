// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QMenu;
class QSlider;

namespace roadtune::widgets {

class PlotGrid;

// How the plots are looked at: axis, smoothing, log scale, which plots, fit.
class PlotBar : public QWidget {
  Q_OBJECT
 public:
  explicit PlotBar(PlotGrid* plots, QWidget* parent = nullptr);
  QSlider* smoothing() const { return m_smoothing; }
  void addPlot(const QString& key, const QString& title);  // to the menu that chooses among them
  static double weightOf(int position);                    // slider 0..200 -> 0..0.999, fine at the heavy end

 signals:
  void smoothingChanged();
  void exportRequested(const QString& kind);  // png, svg or csv

 private:
  PlotGrid* m_plots;
  QSlider* m_smoothing;
  QMenu* m_which;
};

}  // namespace roadtune::widgets
