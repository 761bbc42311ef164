// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>

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

// A process that computes on a card, or takes part in a run.
struct ProcessReading {
  qint64 pid = 0;
  QString user;     // empty: it is not seen from there
  QString program;  // its name
  QString run;      // name of the run that it takes part in; empty: none of ours
  QList<int> gpus;
  std::uint64_t memory = 0, gpuMemory = 0;  // bytes; 0: not told
  bool operator==(const ProcessReading&) const = default;
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
  std::vector<ProcessReading> processes;
  QString driver;         // empty: none
  double clockAhead = 0;  // seconds before the clock of this machine; negative: behind it
};
using MachineReadingPtr = std::shared_ptr<const MachineReading>;

// A machine of the fleet as the page knows it.
enum class MachineState { Unknown, Connecting, Ready, NeedsAnswer, Unreachable };
struct FleetMachine {
  QString name;   // as ssh takes it: alias, user@host:port
  QString group;  // empty: none
  MachineState state = MachineState::Unknown;
  QString message;            // why it is not ready
  MachineReadingPtr reading;  // the latest; null: none yet
};

// One cell of the preflight matrix.
struct PreflightCheck {
  enum class Verdict { Good, Warning, Bad, Unknown };
  QString key;  // the same for the same check on every machine
  Verdict verdict = Verdict::Unknown;
  QString found, advice;
  QStringList notes = {};  // what of ssh_config is not followed
};

// What stands for the machine the studio runs on where others have their names; machineTitle has the words to show.
inline const QString kThisMachine = QStringLiteral("This machine");
QString machineTitle(const QString& host);

// The checks of one machine; while they run there are none.
struct PreflightColumn {
  QString host;  // or kThisMachine
  std::vector<PreflightCheck> checks;
  bool usable() const;
};

struct PreflightMatrix {
  std::vector<PreflightColumn> machines;
  std::vector<PreflightCheck> together;  // what machines must agree in
};
using PreflightMatrixPtr = std::shared_ptr<const PreflightMatrix>;

QString checkTitle(const QString& key);  // "Open files" for limits

}  // namespace roadtune::widgets

Q_DECLARE_METATYPE(roadtune::widgets::MachineReadingPtr)
Q_DECLARE_METATYPE(roadtune::widgets::PreflightMatrixPtr)
