// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/label_reading.h"

#include "core/data/index/waymo_license.h"

#include <charconv>
#include <cmath>

namespace roadtune::data {

std::vector<std::string_view> wordsOf(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  std::vector<std::string_view> words;
  for (auto begin = line.find_first_not_of(kBlanks); begin != line.npos; begin = line.find_first_not_of(kBlanks)) {
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
  return words;
}

std::string_view withoutMark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

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
