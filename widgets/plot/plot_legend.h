// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QWidget>

#include <vector>

namespace roadtune::widgets {

// The line above a plot: its title at the left, curves with their readings at the right; what does not fit is left out
// from the end and counted.
class PlotLegend : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    QString name, value;
    QColor colour;
    Qt::PenStyle line = Qt::SolidLine;
  };
  explicit PlotLegend(const QString& title, QWidget* parent = nullptr);
  void setEntries(std::vector<Entry> entries);
  const std::vector<Entry>& entries() const { return m_entries; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_title;
  std::vector<Entry> m_entries;
};

}  // namespace roadtune::widgets
