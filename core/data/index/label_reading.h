// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/class_list.h"
#include "core/data/index/recording_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// What readers of label files share.

// What stands between blanks, of whatever kind they are.
std::vector<std::string_view> wordsOf(std::string_view line);

// Behind the byte order mark that editors on Windows write.
std::string_view withoutMark(std::string_view text);

// All of the word; nothing where it is no number, or not finite.
std::optional<double> numberOfWord(std::string_view word);

Box boxOfSides(double left, double top, double right, double bottom);

// The only recording of a unit, under its title, with the classes that were met; those without room are told of
// `labels`.
Status deliverUnit(Recording recording, std::string format, const ImportUnit& unit, const ClassList& classes,
                   const std::string& labels, RecordingSink& sink);

}  // namespace roadtune::data
