// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/table_view.h"

#include "widgets/common/theme.h"

#include <QHeaderView>
#include <QTreeView>

namespace roadtune::widgets {

QTreeView* tableView(const QString& name, const QString& title, QAbstractItemModel* model) {
  auto* table = new QTreeView;
  table->setObjectName(name);
  table->setAccessibleName(title);
  table->setModel(model);
  table->setRootIsDecorated(false);
  table->setUniformRowHeights(true);
  table->setFrameShape(QFrame::NoFrame);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->header()->setFont(secondaryFont());
  return table;
}

}  // namespace roadtune::widgets
