// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/runs/run_result.h"

#include <QString>

#include <functional>

class QMenu;

namespace roadtune::widgets {

class RunListModel;

// Pin, colour and tags of a run, as entries of its menu; `newTag` is called when a tag has to be named first.
void addMarkActions(QMenu& menu, RunListModel& model, const QString& path, const std::function<void()>& newTag);

// What can be made of it. A run of another program has no checkpoints of ours: it can only be reported.
void addResultActions(QMenu& menu, bool foreign, const std::function<void(RunResult)>& make);

}  // namespace roadtune::widgets
