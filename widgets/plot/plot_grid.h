// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/plot/axis_range.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <map>
#include <optional>
#include <vector>

class QGridLayout;

namespace roadtune::widgets {

class CurvePlot;

// Plots in two columns on one x axis: zoom, pan and crosshair go over all of them.
class PlotGrid : public QWidget {
  Q_OBJECT
 public:
  explicit PlotGrid(QWidget* parent = nullptr);
  CurvePlot* add(const QString& key, CurvePlot* plot);
  CurvePlot* plot(const QString& key) const;
  void setShown(const QString& key, bool shown);
  bool isShown(const QString& key) const;
  // Of the plots that are to be shown those that the run has something for.
  void setAvailable(const QStringList& keys);
  QStringList keys() const;

  // The whole stretch there is data for. While the view is fitted it follows.
  void setWhole(const Range& whole);
  void setXAxis(XAxis axis);
  XAxis xAxis() const { return m_axis; }
  Range visible() const { return m_fitted ? m_whole : m_visible; }
  bool fitted() const { return m_fitted; }
  int columns() const;                      // pixels across the widest plot; unseen, as when they were seen last
  bool savePng(const QString& file) const;  // at twice the size of the screen
  bool saveSvg(const QString& file) const;
  bool savePlot(const QString& key, const QString& file) const;  // one alone, as its ending says: .svg or .png

 public slots:
  void fit();
  void zoomTo(const Range& range);

 signals:
  void viewChanged();  // range, axis or width: curves should be asked for anew
  void clicked(double x);
  void clickTakenBack();                   // it began a double click, which chooses no place
  void saveRequested(const QString& key);  // of one plot

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void arrange();
  void openMenu(const QString& key, const QPoint& at);
  void lookAtWidth();
  void apply();
  QGridLayout* m_layout;
  std::vector<std::pair<QString, CurvePlot*>> m_plots;
  std::map<QString, bool> m_shown;
  std::optional<QStringList> m_available;  // all, until somebody says which
  Range m_whole{0, 1}, m_visible{0, 1};
  bool m_fitted = true;
  XAxis m_axis = XAxis::Step;
  int m_columns;   // when plots were seen last
  QTimer m_width;  // one look at the width after all changes of a layout
};

}  // namespace roadtune::widgets
