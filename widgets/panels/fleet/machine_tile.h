// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QWidget>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace roadtune::widgets {

class Meter;

// A machine: what it is, and how busy it is now.
class MachineTile : public QWidget {
  Q_OBJECT
 public:
  explicit MachineTile(QWidget* parent = nullptr);
  void setReading(const MachineReading& reading);
  void setRuns(int running);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void setGpus(const std::vector<GpuReading>& gpus);
  QLabel* m_name;
  QLabel* m_state;
  QLabel* m_about;
  Meter* m_cpu;
  Meter* m_memory;
  Meter* m_disk;
  QLabel* m_traffic;
  QLabel* m_noGpu;
  QVBoxLayout* m_gpuRows;
  std::vector<std::pair<Meter*, Meter*>> m_gpus;
};

}  // namespace roadtune::widgets
