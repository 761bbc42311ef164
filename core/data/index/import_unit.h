// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/import.h"
#include "core/data/index/import_discovery.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace roadtune::data {

// What all units of an import share. The functions may be called from any import thread.
struct ImportShared {
  IndexLayout layout;
  std::function<Status()> acceptWaymo;                                   // asked before Waymo's data is written
  std::function<bool(std::uint64_t bytes, const std::string&)> advance;  // false: stop
  std::function<void(const Problem&)> tell;
};

struct UnitOutcome {
  Catalogue::Unit unit;
  std::vector<std::string> names;  // of the segments, in the order of unit.segments
};

// Reads one unit and writes its segments. A unit that cannot be used at all has no segments and says why among its
// problems; an error is one of the importer's own: cancelled, disk full, licence not accepted.
Result<UnitOutcome> importUnit(const PlannedUnit& planned, const std::vector<SourceFile>& sources,
                               const ImportShared& shared);

}  // namespace roadtune::data
