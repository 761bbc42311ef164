// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/machine_tile.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/meter.h"
#include "widgets/common/number_text.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/fleet/process_list.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace roadtune::widgets {
namespace {

constexpr double kClockTolerance = 1;  // seconds

QString bytes(double value) { return numberText(formatBytes(value)); }

double share(std::uint64_t part, std::uint64_t whole) { return whole > 0 ? double(part) / double(whole) : 0; }

// Clocks that differ by moments are no matter.
QString clockWords(double ahead) {
  if (std::abs(ahead) <= kClockTolerance) return {};
  const QString much = numberText(formatDuration(std::abs(ahead)));
  return (ahead > 0
              ? MachineTile::tr("Its clock is %1 ahead of this machine's: let chrony or systemd-timesyncd set it.")
              : MachineTile::tr("Its clock is %1 behind this machine's: let chrony or systemd-timesyncd set it."))
      .arg(much);
}

}  // namespace

MachineTile::MachineTile(QWidget* parent)
    : QWidget(parent),
      m_name(new ElidedLabel),
      m_state(secondaryLabel({})),
      m_about(secondaryLabel({})),
      m_menu(iconButton(QStringLiteral("settings"), tr("What can be done with this machine"),
                        QStringLiteral("machineMenu"))),
      m_cpu(new Meter(tr("Processor"))),
      m_memory(new Meter(tr("Memory"))),
      m_disk(new Meter(tr("Disk"))),
      m_traffic(secondaryLabel({})),
      m_clock(secondaryLabel({})),
      m_processes(new ProcessList),
      m_noGpu(secondaryLabel(
          tr("No graphics card found. Small models train on the processor; real ones want an NVIDIA card."))),
      m_message(new QLabel),
      m_connect(plainButton(tr("Connect"), QStringLiteral("machineConnect"))),
      m_gpuRows(column(nullptr, 0)) {
  setObjectName(QStringLiteral("machineTile"));
  setMinimumWidth(360);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(machineTitle(kThisMachine));
  m_name->setObjectName(QStringLiteral("machineName"));
  m_name->setFont(strongFont());
  m_state->setObjectName(QStringLiteral("machineState"));
  m_message->setObjectName(QStringLiteral("machineMessage"));
  m_message->setWordWrap(true);
  m_noGpu->setWordWrap(true);
  m_traffic->setWordWrap(true);
  m_clock->setObjectName(QStringLiteral("machineClock"));
  m_clock->setForegroundRole(kWarnRole);
  m_clock->setWordWrap(true);
  m_clock->hide();
  m_menu->setFixedHeight(20);
  auto* layout = column(this, 0);
  layout->setContentsMargins(16, 12, 12, 14);
  auto* top = row();
  top->addWidget(m_name, 1);
  top->addWidget(m_state);
  top->addWidget(m_menu);
  layout->addLayout(top);
  layout->addWidget(m_about);
  layout->addSpacing(8);
  for (Meter* meter : {m_cpu, m_memory, m_disk}) layout->addWidget(meter);
  layout->addLayout(m_gpuRows);
  layout->addSpacing(6);
  layout->addWidget(m_clock);
  layout->addWidget(m_traffic);
  layout->addWidget(m_noGpu);
  layout->addSpacing(6);
  layout->addWidget(m_processes);
  layout->addWidget(m_message);
  layout->addSpacing(8);
  layout->addWidget(m_connect, 0, Qt::AlignLeft);
  layout->addStretch(1);
  makeMenu();
  m_menu->hide();
  m_message->hide();
  m_connect->hide();
  connect(m_connect, &QPushButton::clicked, this, &MachineTile::connectRequested);
}

void MachineTile::makeMenu() {
  auto* menu = new QMenu(m_menu);
  menu->addAction(tr("Connect again"), this, &MachineTile::connectRequested);
  menu->addAction(tr("Group…"), this, &MachineTile::groupRequested);
  menu->addSeparator();
  menu->addAction(tr("Remove from the fleet"), this, &MachineTile::removeRequested);
  m_menu->setMenu(menu);
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
  for (std::size_t i = 0; i < m_gpus.size(); ++i) {
    auto& [load, memory] = m_gpus[i];
    load->setVisible(i < gpus.size());
    memory->setVisible(i < gpus.size());
    if (i >= gpus.size()) continue;
    const GpuReading& gpu = gpus[i];
    load->setToolTip(gpu.name);
    QString unit = QStringLiteral("%");
    if (gpu.powerWatts) unit += QStringLiteral("  %1 W").arg(qRound(*gpu.powerWatts));
    if (gpu.temperature) unit += QStringLiteral("  %1 °C").arg(qRound(*gpu.temperature));
    if (gpu.utilization) {
      load->setReading(*gpu.utilization / 100, QString::number(qRound(*gpu.utilization)), unit);
    } else {
      load->setUnknown(tr("not told"));
    }
    memory->setReading(share(gpu.memoryUsed, gpu.memoryTotal), bytes(double(gpu.memoryUsed)),
                       tr("of %1").arg(bytes(double(gpu.memoryTotal))));
  }
}

void MachineTile::setReading(const MachineReading& reading) {
  m_name->setText(tr("%1 (this machine)").arg(reading.host));
  show(reading);
}

void MachineTile::setMachine(const FleetMachine& machine) {
  m_host = machine.name;
  setAccessibleName(machine.name);
  m_menu->show();
  m_name->setText(machine.group.isEmpty() ? machine.name
                                          : QStringLiteral("%1  ·  %2").arg(machine.name, machine.group));
  const bool ready = machine.state == MachineState::Ready;
  static const char* const kWords[] = {QT_TR_NOOP("not connected"), QT_TR_NOOP("connecting…"), QT_TR_NOOP("ready"),
                                       QT_TR_NOOP("waits for you"), QT_TR_NOOP("not reachable")};
  m_state->setText(tr(kWords[static_cast<int>(machine.state)]));
  m_state->setForegroundRole(machine.state == MachineState::NeedsAnswer || machine.state == MachineState::Unreachable
                                 ? kWarnRole
                                 : kQuietRole);
  if (ready && machine.reading) return show(*machine.reading);
  for (QWidget* part :
       {static_cast<QWidget*>(m_cpu), static_cast<QWidget*>(m_memory), static_cast<QWidget*>(m_disk),
        static_cast<QWidget*>(m_traffic), static_cast<QWidget*>(m_noGpu), static_cast<QWidget*>(m_processes)})
    part->hide();
  setGpus({});
  m_clock->hide();
  m_about->setVisible(!m_about->text().isEmpty());
  m_message->setText(machine.message.isEmpty() && machine.state == MachineState::Unknown
                         ? tr("Connect to see how busy it is.")
                         : errorWords(machine.message.toStdString()));
  m_message->setVisible(!m_message->text().isEmpty());
  m_connect->setVisible(machine.state != MachineState::Connecting && machine.state != MachineState::Ready);
}

void MachineTile::show(const MachineReading& reading) {
  for (QWidget* part :
       {static_cast<QWidget*>(m_cpu), static_cast<QWidget*>(m_memory), static_cast<QWidget*>(m_disk),
        static_cast<QWidget*>(m_traffic), static_cast<QWidget*>(m_about), static_cast<QWidget*>(m_processes)})
    part->show();
  m_message->hide();
  m_connect->hide();
  QStringList about{reading.processor, tr("%1 cores").arg(reading.cores), reading.system};
  if (!reading.driver.isEmpty()) about << tr("driver %1").arg(reading.driver);
  about.removeAll(QString());
  m_about->setText(about.join(QStringLiteral("  ·  ")));
  m_cpu->setReading(reading.cpuPercent / 100, QString::number(qRound(reading.cpuPercent)),
                    tr("%  load %1").arg(fixedText(reading.load, 1)));
  m_memory->setReading(share(reading.memoryUsed, reading.memoryTotal), bytes(double(reading.memoryUsed)),
                       tr("of %1").arg(bytes(double(reading.memoryTotal))));
  const auto used = reading.diskTotal > reading.diskFree ? reading.diskTotal - reading.diskFree : 0;
  m_disk->setReading(share(used, reading.diskTotal), bytes(double(reading.diskFree)), tr("free"));
  m_disk->setToolTip(reading.diskFolder);
  m_traffic->setText(
      tr("Disk %1/s read, %2/s written  ·  network %3/s in, %4/s out")
          .arg(bytes(reading.diskRead), bytes(reading.diskWrite), bytes(reading.received), bytes(reading.sent)));
  m_clock->setText(clockWords(reading.clockAhead));
  m_clock->setVisible(!m_clock->text().isEmpty());
  m_noGpu->setVisible(reading.gpus.empty());
  setGpus(reading.gpus);
  m_processes->setProcesses(reading.processes, m_host.isEmpty() ? reading.host : m_host, !reading.gpus.empty());
}

void MachineTile::setRuns(int running) {
  m_state->setText(running == 0   ? tr("ready")
                   : running == 1 ? tr("training 1 run")
                                  : tr("training %1 runs").arg(running));
}

void MachineTile::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hasFocus() ? QPen(t.accent, 1.5) : QPen(t.line, 1));
  painter.setBrush(t.surface);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), metrics::kRadius, metrics::kRadius);
}

// Enter does what is to be done with the machine, or shows what can be.
void MachineTile::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End: emit moveRequested(event->key()); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_connect->isVisible()) return emit connectRequested();
      if (m_menu->isVisible()) return m_menu->showMenu();
      [[fallthrough]];
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace roadtune::widgets
