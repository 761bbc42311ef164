// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/number_delegate.h"

#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QPainter>

#include <cmath>

namespace roadtune::widgets {

qsizetype unitStart(const QString& text) {
  qsizetype at = text.size();
  while (at > 0 && !text[at - 1].isDigit()) --at;
  return at;
}

QSize NumberDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem own(option);
  initStyleOption(&own, index);
  const double width = tabularWidth(own.font, own.text) + 2 * metrics::kPadding;
  return {static_cast<int>(std::ceil(width)), QStyledItemDelegate::sizeHint(option, index).height()};
}

void NumberDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem own(option);
  initStyleOption(&own, index);
  const QString text = own.text;
  own.text.clear();
  const QStyle* style = own.widget ? own.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &own, painter, own.widget);
  const Tokens& t = Theme::tokens();
  const qsizetype unit = unitStart(text);
  QRectF rect = QRectF(option.rect).adjusted(metrics::kPadding, 0, -metrics::kPadding, 0);
  painter->save();
  painter->setFont(own.font);
  if (unit == 0) {  // words, not a number
    painter->setPen(t.secondary);
    painter->drawText(rect, int(Qt::AlignRight | Qt::AlignVCenter), text);
  } else {
    painter->setPen(t.secondary);
    drawTabular(*painter, rect, Qt::AlignRight, text.mid(unit));
    rect.setRight(rect.right() - tabularWidth(own.font, text.mid(unit)));
    painter->setPen(t.text);
    drawTabular(*painter, rect, Qt::AlignRight, text.left(unit));
  }
  painter->restore();
}

}  // namespace roadtune::widgets
