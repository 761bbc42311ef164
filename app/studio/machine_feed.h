// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/agent/node_sampler.h"
#include "remote/agent/nvml.h"
#include "widgets/panels/fleet/machine_reading.h"

#include <QObject>

#include <memory>

class QTimer;

namespace roadtune::studio {

// Looks at this machine once a second. Lives on a thread of its own.
class MachineFeed : public QObject {
  Q_OBJECT
 public:
  explicit MachineFeed(QObject* parent = nullptr);
  ~MachineFeed() override;

 public slots:
  void start(const QString& runsFolder);

 signals:
  void readingReady(const roadtune::widgets::MachineReadingPtr& reading);

 private:
  void look();
  QString m_folder;
  std::unique_ptr<remote::NodeSampler> m_sampler;
  std::unique_ptr<remote::Nvml> m_nvml;
  widgets::MachineReading m_fixed;  // what does not change
  QTimer* m_timer;
};

}  // namespace roadtune::studio
