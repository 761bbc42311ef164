// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QMetaType>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace roadtune::widgets {

// Everything a run wrote down about one step.
struct StepFacts {
  QString folder;
  std::int64_t step = 0;
  std::optional<double> place;                      // on the axis, where one was asked for instead of a step
  std::vector<std::pair<QString, QString>> values;  // metric and value
  std::vector<std::pair<QString, std::optional<double>>>
      samples;      // what it learnt from, the hardest first; its loss where known
  QStringList log;  // what the ranks printed about it
};
using StepFactsPtr = std::shared_ptr<const StepFacts>;

}  // namespace roadtune::widgets

Q_DECLARE_METATYPE(roadtune::widgets::StepFactsPtr)
