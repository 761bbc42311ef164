// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/machine_tile.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/meter.h"
#include "widgets/common/theme.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

QString bytes(double value) { return QString::fromStdString(formatBytes(value)); }

double share(std::uint64_t part, std::uint64_t whole) { return whole > 0 ? double(part) / double(whole) : 0; }

}  // namespace

MachineTile::MachineTile(QWidget* parent)
    : QWidget(parent),
      m_name(headingLabel({})),
      m_state(secondaryLabel({})),
      m_about(secondaryLabel({})),
      m_cpu(new Meter(tr("Processor"))),
      m_memory(new Meter(tr("Memory"))),
      m_disk(new Meter(tr("Disk"))),
      m_traffic(secondaryLabel({})),
      m_noGpu(secondaryLabel(tr("No graphics card found. Small models train on the processor; for real ones add a machine with an NVIDIA card."))),
      m_gpuRows(column(nullptr, 0)) {
  setObjectName(QStringLiteral("machineTile"));
  setMinimumWidth(420);
  m_name->setObjectName(QStringLiteral("machineName"));
  m_state->setObjectName(QStringLiteral("machineState"));
  m_noGpu->setWordWrap(true);
  auto* layout = column(this, 0);
  layout->setContentsMargins(16, 12, 16, 14);
  auto* top = row();
  top->addWidget(m_name, 1);
  top->addWidget(m_state);
  layout->addLayout(top);
  layout->addWidget(m_about);
  layout->addSpacing(8);
  for (Meter* meter : {m_cpu, m_memory, m_disk}) layout->addWidget(meter);
  layout->addLayout(m_gpuRows);
  layout->addSpacing(6);
  layout->addWidget(m_traffic);
  layout->addWidget(m_noGpu);
}

void MachineTile::setGpus(const std::vector<GpuReading>& gpus) {
  while (m_gpus.size() < gpus.size()) {
    const auto number = m_gpus.size();
    auto* load = new Meter(tr("GPU %1").arg(number));
    auto* memory = new Meter(tr("GPU %1 memory").arg(number));
    m_gpuRows->addWidget(load);
    m_gpuRows->addWidget(memory);
    m_gpus.emplace_back(load, memory);
  }
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const GpuReading& gpu = gpus[i];
    auto& [load, memory] = m_gpus[i];
    load->setToolTip(gpu.name);
    QString unit = QStringLiteral("%");
    if (gpu.powerWatts) unit += QStringLiteral("  %1 W").arg(qRound(*gpu.powerWatts));
    if (gpu.temperature) unit += QStringLiteral("  %1 °C").arg(qRound(*gpu.temperature));
    if (gpu.utilization) {
      load->setReading(*gpu.utilization / 100, QString::number(qRound(*gpu.utilization)), unit);
    } else {
      load->setUnknown(tr("not told"));
    }
    memory->setReading(share(gpu.memoryUsed, gpu.memoryTotal), bytes(double(gpu.memoryUsed)), tr("of %1").arg(bytes(double(gpu.memoryTotal))));
  }
}

void MachineTile::setReading(const MachineReading& reading) {
  m_name->setText(tr("%1 (this machine)").arg(reading.host));
  QStringList about{reading.processor, tr("%1 cores").arg(reading.cores), reading.system};
  if (!reading.driver.isEmpty()) about << tr("driver %1").arg(reading.driver);
  about.removeAll(QString());
  m_about->setText(about.join(QStringLiteral("  ·  ")));
  m_cpu->setReading(reading.cpuPercent / 100, QString::number(qRound(reading.cpuPercent)), tr("%  load %1").arg(reading.load, 0, 'f', 1));
  m_memory->setReading(share(reading.memoryUsed, reading.memoryTotal), bytes(double(reading.memoryUsed)), tr("of %1").arg(bytes(double(reading.memoryTotal))));
  const auto used = reading.diskTotal > reading.diskFree ? reading.diskTotal - reading.diskFree : 0;
  m_disk->setReading(share(used, reading.diskTotal), bytes(double(reading.diskFree)), tr("free"));
  m_disk->setToolTip(reading.diskFolder);
  m_traffic->setText(tr("Disk %1/s read, %2/s written  ·  network %3/s in, %4/s out")
                         .arg(bytes(reading.diskRead), bytes(reading.diskWrite), bytes(reading.received), bytes(reading.sent)));
  m_noGpu->setVisible(reading.gpus.empty());
  setGpus(reading.gpus);
}

void MachineTile::setRuns(int running) { m_state->setText(running == 0 ? tr("ready") : running == 1 ? tr("training 1 run") : tr("training %1 runs").arg(running)); }

void MachineTile::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(t.line, 1));
  painter.setBrush(t.surface);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::kRadius, metrics::kRadius);
}

}  // namespace roadtune::widgets
