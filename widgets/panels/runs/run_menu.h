// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <functional>

class QMenu;

namespace roadtune::widgets {

class RunListModel;

// Pin, colour and tags of a run, as entries of its menu; `newTag` is called when a tag has to be named first.
void addMarkActions(QMenu& menu, RunListModel& model, const QString& path, const std::function<void()>& newTag);

}  // namespace roadtune::widgets
