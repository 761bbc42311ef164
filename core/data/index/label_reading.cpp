// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/label_reading.h"

#include "core/data/index/waymo_license.h"

#include <charconv>
#include <cmath>

namespace roadtune::data {

std::optional<double> numberOfWord(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

Box boxOfSides(double left, double top, double right, double bottom) {
  return {.x = left, .y = top, .w = right - left, .h = bottom - top};
}

Status deliverUnit(Recording recording, std::string format, const ImportUnit& unit, const ClassList& classes,
                   const std::string& labels, RecordingSink& sink) {
  if (const auto beyond = classes.overflow(labels)) sink.problem(*beyond);
  recording.classes = classes.names();
  recording.name = unit.title;
  recording.format = std::move(format);
  recording.waymo = hasWaymoAttribution(unit.base);
  return sink.deliver(std::move(recording));
}

}  // namespace roadtune::data
