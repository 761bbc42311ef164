// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/box_overlay.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/canvas/tile_text.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QPainter>

namespace roadtune::widgets {

void ImageGrid::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  if (!m_index) return;
  const auto [first, last] = m_layout.range(offset() + event->rect().top(), offset() + event->rect().bottom() + 1);
  for (std::size_t row = first; row < last; ++row) paintTile(painter, row, tileRect(row));
  paintHeaders(painter);
  if (m_band && m_band->drawn) {
    QColor fill = Theme::tokens().accent;
    painter.setPen(fill);
    fill.setAlphaF(0.12);
    painter.setBrush(fill);
    painter.drawRect(bandRect());
  }
  QColor veil = Theme::tokens().window;
  veil.setAlphaF(0.6);
  if (m_dimmed) painter.fillRect(viewport()->rect(), veil);
}

void ImageGrid::setDimmed(bool dimmed) {
  m_dimmed = dimmed;
  viewport()->update();
}

void ImageGrid::paintHeaders(QPainter& painter) {
  if (m_layout.groups.empty()) return;
  const std::size_t last = m_layout.groupAt(offset() + viewport()->height());
  for (std::size_t group = m_layout.groupAt(offset()); group <= last; ++group) {
    const auto [begin, end] = m_layout.itemsOf(group);
    const data::ImageInfo info = m_index->image((*m_images)[begin]);
    paintSegmentHeader(painter, m_index->segment(info.segment).info(), end - begin, headerRect(group));
  }
}

void ImageGrid::paintPicture(QPainter& painter, const data::ImageInfo& info, const QRect& area) {
  const Tokens& t = Theme::tokens();
  const QPixmap picture = m_pool ? m_pool->picture(info.id) : QPixmap();
  const QSizeF size = info.width > 0     ? QSizeF(info.width, info.height)
                      : picture.isNull() ? QSizeF(3, 2)
                                         : QSizeF(picture.size());
  QRectF target(QPointF(), size.scaled(QSizeF(area.size()), Qt::KeepAspectRatio));
  target.moveCenter(QRectF(area).center());
  if (picture.isNull()) {
    const bool failed = m_pool && !m_pool->failure(info.id).isEmpty();
    painter.fillRect(target, mixed(t.window, t.text, 0.06));
    if (failed) {
      painter.setPen(t.secondary);
      painter.setFont(secondaryFont());
      painter.drawText(target, Qt::AlignCenter, tr("cannot be shown"));
    }
  } else {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawPixmap(target, picture, picture.rect());
  }
  if (m_boxes) {
    BoxStyle style;
    style.leastSide = 3;
    paintLabels(painter, *m_index, info.id, target, size.width(), style);
  }
}

void ImageGrid::paintTile(QPainter& painter, std::size_t row, const QRect& tile) {
  const Tokens& t = Theme::tokens();
  const data::ImageInfo info = m_index->image((*m_images)[row]);
  const QRect area(tile.left(), tile.top(), tile.width(), tile.height() - kCaption);
  const bool selected = m_selected.contains(row);
  painter.save();
  painter.setClipRect(tile.adjusted(-3, -3, 3, 3));
  if (selected) {
    QColor fill = t.accent;
    fill.setAlphaF(0.16);
    painter.fillRect(tile.adjusted(-3, -3, 3, 2), fill);
  }
  painter.fillRect(area, mixed(t.window, t.text, 0.04));
  paintPicture(painter, info, area);
  painter.setFont(secondaryFont());
  painter.setPen(selected ? t.text : t.secondary);
  const QRectF caption(tile.left() + 2, area.bottom() + 2, tile.width() - 4, kCaption - 2);
  const QFontMetrics metrics(painter.font());
  const QString figure = metrics.elidedText(m_figure ? m_figure(info.id) : labelText(*m_index, info), Qt::ElideRight,
                                            static_cast<int>(caption.width() * 0.6));  // an answer may be long
  const double room = caption.width() - tabularWidth(painter.font(), figure) - 8;
  drawTabular(painter, caption, Qt::AlignLeft,
              metrics.elidedText(tileText(*m_index, info), Qt::ElideRight, static_cast<int>(room)));
  if (m_figure) painter.setPen(t.text);  // the images are in its order
  drawTabular(painter, caption, Qt::AlignRight, figure);
  if (row == m_current && hasFocus()) {
    painter.setPen(QPen(t.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(-1, -1, 1, 1));
  }
  painter.restore();
}

}  // namespace roadtune::widgets
