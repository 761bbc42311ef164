// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace roadtune::widgets {

class MachineTile;
class TableModel;

// The machines runs can go to, live, and what stands in the way of a run on them.
class FleetPage : public QWidget {
  Q_OBJECT
 public:
  explicit FleetPage(QWidget* parent = nullptr);
  void setReading(const MachineReadingPtr& reading);
  void setRunning(int runs);
  void setChecks(const PreflightChecks& checks);
  TableModel* checks() const { return m_checks; }

 signals:
  void checkRequested();

 private:
  QWidget* makeChecks();
  MachineTile* m_tile;
  TableModel* m_checks;
  QLabel* m_summary = nullptr;
};

}  // namespace roadtune::widgets
