// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QMetaType>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace roadtune::widgets {

struct GpuReading {
  int index = 0;
  QString name;
  std::optional<double> utilization, powerWatts, temperature;  // percent, W, degrees Celsius
  std::uint64_t memoryUsed = 0, memoryTotal = 0;
  QString throttled;  // why clocks are held down; empty: they are not
};

// One look at a machine.
struct MachineReading {
  QString host, system, processor;
  int cores = 0;
  double cpuPercent = 0, load = 0;
  std::uint64_t memoryUsed = 0, memoryTotal = 0;
  std::uint64_t diskFree = 0, diskTotal = 0;
  QString diskFolder;
  double diskRead = 0, diskWrite = 0, received = 0, sent = 0;  // bytes per second
  std::vector<GpuReading> gpus;
  QString driver;  // empty: none
};
using MachineReadingPtr = std::shared_ptr<const MachineReading>;

// One line of the preflight table.
struct PreflightCheck {
  enum class Verdict { Good, Warning, Bad };
  Verdict verdict = Verdict::Good;
  QString name, found, advice;
};
using PreflightChecks = std::shared_ptr<const std::vector<PreflightCheck>>;

}  // namespace roadtune::widgets

Q_DECLARE_METATYPE(roadtune::widgets::MachineReadingPtr)
Q_DECLARE_METATYPE(roadtune::widgets::PreflightChecks)
