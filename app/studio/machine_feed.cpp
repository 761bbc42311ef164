// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/machine_feed.h"

#include "app/studio/folder_path.h"
#include "core/base/clock.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/agent/machine_processes.h"

#include <QFile>
#include <QStorageInfo>
#include <QSysInfo>
#include <QThread>
#include <QTimer>

#include <filesystem>

namespace roadtune::studio {
namespace {

QString processorName() {
  QFile file(QStringLiteral("/proc/cpuinfo"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  for (const QByteArray& line : file.readAll().split('\n')) {
    if (line.startsWith("model name")) return QString::fromLatin1(line.mid(line.indexOf(':') + 1)).simplified();
  }
  return {};
}

// On a machine that only takes part in a run its folder there has another name than the run.
QString runName(const std::filesystem::path& run) {
  if (run.empty()) return {};
  const auto manifest = protocol::readManifest(protocol::RunLayout(run).manifest());
  const bool named = manifest.ok() && !manifest.value().name.empty();
  return QString::fromStdString(named ? manifest.value().name : run.filename().string());
}

}  // namespace

MachineFeed::MachineFeed(QObject* parent) : QObject(parent), m_timer(new QTimer(this)) {
  m_timer->setInterval(1000);
  connect(m_timer, &QTimer::timeout, this, &MachineFeed::look);
}

MachineFeed::~MachineFeed() = default;

void MachineFeed::start(const QString& runsFolder) {
  m_folder = existingPart(runsFolder);
  m_sampler = std::make_unique<remote::NodeSampler>(m_folder.toStdString());
  m_nvml = remote::Nvml::open();
  m_fixed.host = QSysInfo::machineHostName();
  m_fixed.system = QSysInfo::prettyProductName();
  m_fixed.processor = processorName();
  m_fixed.cores = QThread::idealThreadCount();
  m_fixed.driver = m_nvml ? QString::fromStdString(m_nvml->driverVersion()) : QString();
  m_fixed.diskFolder = m_folder;
  look();
  m_timer->start();
}

void MachineFeed::look() {
  auto reading = std::make_shared<widgets::MachineReading>(m_fixed);
  const remote::NodeSample sample = m_sampler->sample(monotonicSeconds());
  reading->cpuPercent = sample.cpuPercent;
  reading->load = sample.load;
  reading->memoryUsed = sample.memoryUsed;
  reading->memoryTotal = sample.memoryTotal;
  reading->diskFree = sample.diskFree;
  reading->diskTotal = static_cast<std::uint64_t>(std::max<qint64>(0, QStorageInfo(m_folder).bytesTotal()));
  reading->diskRead = sample.diskReadBytes;
  reading->diskWrite = sample.diskWriteBytes;
  reading->received = sample.networkReceived;
  reading->sent = sample.networkSent;
  for (std::size_t i = 0; m_nvml && i < m_nvml->gpus().size(); ++i) {
    const remote::GpuSample gpu = m_nvml->sample(i);
    QStringList reasons;
    for (const std::string& why : gpu.throttle) reasons << QString::fromStdString(why);
    reading->gpus.push_back({gpu.index, QString::fromStdString(m_nvml->gpus()[i].name), gpu.utilisation, gpu.powerWatts,
                             gpu.temperature, gpu.memoryUsed.value_or(0),
                             gpu.memoryTotal.value_or(m_nvml->gpus()[i].memory), reasons.join(QStringLiteral(", "))});
  }
  for (const remote::MachineProcess& one : remote::machineProcesses(m_nvml.get()))
    reading->processes.push_back({one.pid, QString::fromStdString(one.user), QString::fromStdString(one.name),
                                  runName(one.run), QList<int>(one.gpus.begin(), one.gpus.end()), one.memory,
                                  one.gpuMemory});
  emit readingReady(reading);
}

}  // namespace roadtune::studio
