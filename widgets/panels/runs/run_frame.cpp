// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/run_frame.h"

#include <QtGlobal>

#include <algorithm>

namespace roadtune::widgets {

const std::vector<PlotInfo>& plotInfos() {
  static const std::vector<PlotInfo> kInfos = {
      {"loss", QT_TRANSLATE_NOOP("Plot", "Loss"), ValueKind::Plain, false, false, true},
      {"throughput", QT_TRANSLATE_NOOP("Plot", "Throughput, samples/s"), ValueKind::Plain, true, false, true},
      {"mfu", QT_TRANSLATE_NOOP("Plot", "Model FLOPs utilisation"), ValueKind::Percent, true, true, true},
      {"utilization", QT_TRANSLATE_NOOP("Plot", "Utilisation"), ValueKind::Percent, true, true, true},
      {"memory", QT_TRANSLATE_NOOP("Plot", "Memory"), ValueKind::Bytes, true, false, true},
      {"evaluation", QT_TRANSLATE_NOOP("Plot", "Evaluation of the probe samples"), ValueKind::Plain, true, false, true},
      {"malformed", QT_TRANSLATE_NOOP("Plot", "Malformed pieces per sample"), ValueKind::Plain, true, false, true},
      {"learning_rate", QT_TRANSLATE_NOOP("Plot", "Learning rate"), ValueKind::Plain, true, false, false},
      {"grad_norm", QT_TRANSLATE_NOOP("Plot", "Gradient norm"), ValueKind::Plain, true, false, false},
      {"tokens", QT_TRANSLATE_NOOP("Plot", "Throughput, tokens/s"), ValueKind::Plain, true, false, false},
      {"arithmetic", QT_TRANSLATE_NOOP("Plot", "Arithmetic, TFLOP/s"), ValueKind::Plain, true, false, false},
      {"step_time", QT_TRANSLATE_NOOP("Plot", "Time per step"), ValueKind::Seconds, true, false, false},
      {"tensors", QT_TRANSLATE_NOOP("Plot", "Memory of the tensors"), ValueKind::Bytes, true, false, false},
      {"power", QT_TRANSLATE_NOOP("Plot", "Power of the cards, W"), ValueKind::Plain, true, false, false},
      {"units", QT_TRANSLATE_NOOP("Plot", "Busy units of the cards"), ValueKind::Percent, true, true, false},
      {"tensor", QT_TRANSLATE_NOOP("Plot", "Busy tensor cores"), ValueKind::Percent, true, true, false},
      {"memory_use", QT_TRANSLATE_NOOP("Plot", "Busy memory of the cards"), ValueKind::Percent, true, true, false},
      {"temperature", QT_TRANSLATE_NOOP("Plot", "Temperature of the cards, °C"), ValueKind::Plain, true, false, false},
      {"clock", QT_TRANSLATE_NOOP("Plot", "Clock of the cards, MHz"), ValueKind::Plain, true, false, false},
      {"links", QT_TRANSLATE_NOOP("Plot", "PCIe, per second"), ValueKind::Bytes, true, false, false},
      {"nvlink", QT_TRANSLATE_NOOP("Plot", "NVLink, per second"), ValueKind::Bytes, true, false, false},
      {"io", QT_TRANSLATE_NOOP("Plot", "Disk and network, per second"), ValueKind::Bytes, true, false, false},
  };
  return kInfos;
}

bool isPaused(const RunFrame& frame) { return frame.state == runs::RunState::Running && runs::isPaused(frame.phases); }

bool isResumable(const RunFrame& frame) {
  return std::ranges::any_of(frame.checkpoints, [](const auto& one) { return one.complete || !one.machine.empty(); });
}

const QStringList& comparedPlots() {
  static const QStringList kKeys = {QStringLiteral("loss"), QStringLiteral("throughput"),
                                    QStringLiteral("learning_rate"), QStringLiteral("grad_norm"),
                                    QStringLiteral("step_time")};
  return kKeys;
}

}  // namespace roadtune::widgets
