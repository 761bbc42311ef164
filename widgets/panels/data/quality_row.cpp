// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/quality_row.h"

#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QPainter>

namespace roadtune::widgets {
namespace {

std::vector<QualityRow::Piece> piecesOf(const QualityFigure& figure, const QColor& classColour) {
  return {{figure.share, figure.warns ? seriesColour(5) : classColour}};
}

}  // namespace

QualityRow::QualityRow(const QualityFigure& figure, const QColor& classColour, QWidget* parent)
    : QualityRow(figure.label, figure.reading, piecesOf(figure, classColour), figure.query, parent) {}

QualityRow::QualityRow(const QString& label, const QString& reading, std::vector<Piece> pieces, const QString& query,
                       QWidget* parent)
    : QAbstractButton(parent), m_label(label), m_reading(reading), m_query(query), m_pieces(std::move(pieces)) {
  setFixedHeight(metrics::kRowHeight);
  setAttribute(Qt::WA_Hover);
  setEnabled(!query.isEmpty());
  setFocusPolicy(query.isEmpty() ? Qt::NoFocus : Qt::TabFocus);
  setAccessibleName(label.isEmpty() ? reading : label + QLatin1Char(' ') + reading);
  setToolTip(query);
}

void QualityRow::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF body = QRectF(rect()).adjusted(0, 1, 0, -1);
  QRectF piece = body;
  painter.setPen(Qt::NoPen);
  for (const Piece& one : m_pieces) {
    if (one.share <= 0) continue;
    QColor fill = one.colour.isValid() ? one.colour : t.text;
    fill.setAlphaF(one.colour.isValid() ? 0.28 : 0.09);
    piece.setWidth(std::max(2.0, body.width() * one.share));
    painter.setBrush(fill);
    painter.drawRoundedRect(piece, 3, 3);
    piece.moveLeft(piece.right());
  }
  if (isEnabled() && (underMouse() || hasFocus())) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(hasFocus() ? t.accent : t.line, 1));
    painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
  const QRectF text = body.adjusted(6, 0, -6, 0);
  painter.setFont(m_label.isEmpty() ? baseFont() : secondaryFont());
  const double width = tabularWidth(painter.font(), m_reading);
  painter.setPen(m_label.isEmpty() ? t.text : t.secondary);
  drawTabular(painter, text, Qt::AlignRight, m_reading);
  if (m_label.isEmpty()) return;
  painter.setFont(baseFont());
  painter.setPen(t.text);
  const int room = static_cast<int>(text.width() - width - 12);
  painter.drawText(text, int(Qt::AlignVCenter), painter.fontMetrics().elidedText(m_label, Qt::ElideMiddle, room));
}

}  // namespace roadtune::widgets
