// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QHash>
#include <QString>
#include <QStringList>

namespace roadtune::widgets {

// What somebody said about a run. It is the studio's own and lies beside the runs, never in them.
struct RunMarks {
  bool pinned = false;
  int colour = -1;  // which series colour; -1: none chosen
  QStringList tags = {};
  bool operator==(const RunMarks&) const = default;
};
using RunMarksByFolder = QHash<QString, RunMarks>;

}  // namespace roadtune::widgets
