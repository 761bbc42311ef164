// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QAbstractItemModel;
class QTreeView;

namespace roadtune::widgets {

// A table as this program wears them: no tree, no frame, small heads; `title` is what it is called to those who cannot
// see it.
QTreeView* tableView(const QString& name, const QString& title, QAbstractItemModel* model);

}  // namespace roadtune::widgets
