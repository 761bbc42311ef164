// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QAbstractItemModel;
class QTreeView;

namespace roadtune::widgets {

// A table as the Fleet page wears them; `title` is what it is called to those who cannot see it.
QTreeView* fleetTable(const QString& name, const QString& title, QAbstractItemModel* model);

}  // namespace roadtune::widgets
