// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace roadtune::widgets {

class TableModel;

// Who computes on a machine: runs of ours by their names, and whatever else is on its cards.
class ProcessList : public QWidget {
  Q_OBJECT
 public:
  explicit ProcessList(QWidget* parent = nullptr);
  void setProcesses(const std::vector<ProcessReading>& processes, const QString& machine, bool cards);
  TableModel* model() const { return m_model; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  std::vector<ProcessReading> m_shown;
  TableModel* m_model;
  QTreeView* m_table;
  QLabel* m_none;
};

}  // namespace roadtune::widgets
