// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <deque>

namespace roadtune::widgets {

// A live quantity on one row: name, a bar with a faint history behind it, and the reading at the right.
class Meter : public QWidget {
  Q_OBJECT
 public:
  explicit Meter(const QString& name, QWidget* parent = nullptr);

  // `share` in 0..1 fills the bar; `reading` and `unit` stand at its right. `keep` adds the share to the history.
  void setReading(double share, const QString& reading, const QString& unit, bool keep = true);
  void setUnknown(const QString& why);
  double share() const { return m_share; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_name, m_reading, m_unit;
  double m_share = -1;
  std::deque<double> m_history;
};

}  // namespace roadtune::widgets
