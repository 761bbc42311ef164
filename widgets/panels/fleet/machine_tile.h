// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace roadtune::widgets {

class ElidedLabel;
class Meter;
class ProcessList;

// A machine: what it is, and how busy it is now; or why that is not known.
class MachineTile : public QWidget {
  Q_OBJECT
 public:
  explicit MachineTile(QWidget* parent = nullptr);
  void setReading(const MachineReading& reading);  // of this machine
  void setMachine(const FleetMachine& machine);    // another one
  void setRuns(int running);
  const QString& name() const { return m_host; }

 signals:
  void moveRequested(int key);  // an arrow, Home or End, while the tile has the focus
  void connectRequested();
  void groupRequested();
  void removeRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void makeMenu();
  void show(const MachineReading& reading);
  void setGpus(const std::vector<GpuReading>& gpus);
  QString m_host;  // empty: this machine
  ElidedLabel* m_name;
  QLabel* m_state;
  QLabel* m_about;
  QToolButton* m_menu;
  Meter* m_cpu;
  Meter* m_memory;
  Meter* m_disk;
  QLabel* m_traffic;
  QLabel* m_clock;
  ProcessList* m_processes;
  QLabel* m_noGpu;
  QLabel* m_message;
  QPushButton* m_connect;
  QVBoxLayout* m_gpuRows;
  std::vector<std::pair<Meter*, Meter*>> m_gpus;
};

}  // namespace roadtune::widgets
