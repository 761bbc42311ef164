// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStyledItemDelegate>

namespace roadtune::widgets {

// Paints "41.3 samples/s" with even digits, right-aligned, the unit in the secondary colour.
class NumberDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Where the number ends and its unit begins: "5.8 GB" -> 3.
qsizetype unitStart(const QString& text);

}  // namespace roadtune::widgets
