// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/models/table_model.h"
#include "widgets/panels/runs/run_frame.h"

namespace roadtune::widgets {

// Everything that happened, newest first: phases, checkpoints, warnings, processes, the end.
std::vector<TableModel::Row> eventRows(const RunFrame& frame);

// Settings that are not the same in this run and in those beside it; one row for each run that differs.
std::vector<TableModel::Row> differenceRows(const RunFrame& frame);

// What the trainer proved after its first step.
std::vector<TableModel::Row> receiptRows(const RunFrame& frame);

}  // namespace roadtune::widgets
