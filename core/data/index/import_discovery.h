// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/import.h"

#include <string>
#include <vector>

namespace roadtune::data {

struct PlannedUnit {
  const RecordingReader* reader = nullptr;
  ImportUnit unit;
  std::string key;              // "format:name"
  std::string givenSplit = {};  // what the user said where unit.split is empty
};

struct ImportPlan {
  std::vector<PlannedUnit> units;
  std::vector<Problem> problems;  // sources that are not there, or hold nothing known
};

// Asks every reader about every source. A file belongs to the first reader that wants it; folders of pictures become
// image folders of the annotation files.
ImportPlan planImport(const std::vector<std::filesystem::path>& sources, const RecordingReaders& readers);

}  // namespace roadtune::data
