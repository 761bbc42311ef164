// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query.h"

#include <QWidget>

#include <optional>
#include <utility>

namespace roadtune::widgets {

// How a quantity is spread; dragging over it chooses a stretch, a click without dragging lets go of it.
class FacetHistogram : public QWidget {
  Q_OBJECT
 public:
  FacetHistogram(const QString& title, const QString& unit, QWidget* parent = nullptr);
  void setHistogram(const data::Histogram& histogram);
  void setChosen(std::optional<std::pair<int, int>> range);
  QSize sizeHint() const override { return {200, 92}; }
  QRectF plotRect() const;

 signals:
  void rangeChosen(int low, int high);  // low <= value < high; high is the end of the last bin when it is open
  void rangeCleared();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  double valueAt(double x) const;
  double placeOf(double value) const;
  std::pair<int, int> dragged() const;
  QString m_title, m_unit;
  data::Histogram m_histogram;
  std::optional<std::pair<int, int>> m_chosen;
  std::optional<double> m_from;
  double m_to = 0;
};

}  // namespace roadtune::widgets
