// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QString>

#include <map>
#include <utility>
#include <vector>

namespace roadtune::widgets {

// A preflight check as it went at some time.
struct PreflightRecord {
  double when = 0;  // seconds since 1970; also its name
  PreflightMatrix matrix;
};
using PreflightRecords = std::vector<PreflightRecord>;  // the newest last

// What a check found on a machine ("" is what machines must agree in), and what it had found the time before.
using PreflightChanges = std::map<std::pair<QString, QString>, PreflightCheck>;  // machine and key to the one before

// Whether two findings are the same to a reader: the verdict is, and the words are; room that shrank a little and a
// connection that took a little longer are no news.
bool sameFinding(const PreflightCheck& a, const PreflightCheck& b);

// What `records[at]` found otherwise than the last record before it that had the same machine.
PreflightChanges changesAt(const PreflightRecords& records, std::size_t at);

}  // namespace roadtune::widgets
