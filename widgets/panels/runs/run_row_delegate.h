// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStyledItemDelegate>

namespace roadtune::widgets {

// A run in the list: a mark for its state (shape and colour), its name, and a line of detail.
class RunRowDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  int paintTags(QPainter& painter, const QRect& line, const QStringList& tags) const;  // width that they take
};

// The ground of a row: its panel, and a strip on the one that is chosen. `option` as initStyleOption() left it.
void paintRowGround(QPainter& painter, const QStyleOptionViewItem& option);

// The mark alone, also used by the page's header.
void paintStateMark(QPainter& painter, const QRectF& rect, int state, bool paused = false, bool warn = false);

}  // namespace roadtune::widgets
