// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/worst_delegate.h"

#include "widgets/common/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPixmap>

namespace roadtune::widgets {
namespace {
constexpr int kWorstRow = 44, kPictureWidth = 60, kPictureGap = 8;
}

void WorstDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString text = item.text;
  item.text.clear();
  QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
  const QRect area(option.rect.left() + metrics::kPadding, option.rect.top() + 2, kPictureWidth,
                   option.rect.height() - 4);
  const QPixmap picture = m_picture(index.row());
  if (picture.isNull()) {
    painter->fillRect(area, mixed(Theme::tokens().surface, Theme::tokens().text, 0.08));
  } else {
    QRectF target(QPointF(), QSizeF(picture.size()).scaled(QSizeF(area.size()), Qt::KeepAspectRatio));
    target.moveCenter(QRectF(area).center());
    painter->save();
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    painter->drawPixmap(target, picture, picture.rect());
    painter->restore();
  }
  const QRect rest(area.right() + kPictureGap, option.rect.top(), option.rect.right() - area.right() - kPictureGap - 4,
                   option.rect.height());
  painter->setPen(option.palette.color(QPalette::Text));
  painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
                    option.fontMetrics.elidedText(text, Qt::ElideMiddle, rest.width()));
}

QSize WorstDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return {QStyledItemDelegate::sizeHint(option, index).width() + kPictureWidth + kPictureGap, kWorstRow};
}

}  // namespace roadtune::widgets
