// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/facet_row.h"

#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QPainter>

namespace roadtune::widgets {

FacetRow::FacetRow(QWidget* parent) : QAbstractButton(parent) {
  setFixedHeight(metrics::kRowHeight);
  setAttribute(Qt::WA_Hover);
}

void FacetRow::setHeading(const QString& title) {
  m_heading = true;
  m_shown = title;
  setFocusPolicy(Qt::NoFocus);
  setEnabled(false);
  setAccessibleName(title);
  update();
}

void FacetRow::setValue(const QString& field, const QString& value, const QString& shown, std::size_t count,
                        double share, bool selected, const QColor& colour) {
  m_heading = false;
  m_field = field;
  m_value = value;
  m_shown = shown;
  m_count = count;
  m_share = share;
  m_selected = selected;
  m_colour = colour;
  setObjectName(QStringLiteral("facet_%1_%2").arg(field, value));
  setEnabled(true);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(QStringLiteral("%1 %2").arg(shown, countText(count)));
  update();
}

void FacetRow::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_heading) {
    painter.setFont(strongFont());
    painter.setPen(t.text);
    painter.drawText(rect().adjusted(12, 4, -12, 0), Qt::AlignVCenter, m_shown);
    return;
  }
  const QRectF body = QRectF(rect()).adjusted(8, 1, -8, -1);
  painter.setPen(Qt::NoPen);
  QRectF bar = body;
  bar.setWidth(std::max(2.0, body.width() * m_share));
  QColor fill = m_selected ? t.accent : m_colour.isValid() ? m_colour : t.text;
  fill.setAlphaF(m_selected ? 0.26 : m_colour.isValid() ? 0.26 : 0.09);
  painter.setBrush(fill);
  if (m_count > 0) painter.drawRoundedRect(bar, 3, 3);
  if (underMouse() || hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(hasFocus() ? t.accent : t.line, 1));
    painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
  const QString count = countText(m_count);
  int left = 8;
  if (m_selected) {
    painter.drawPixmap(14, (height() - 12) / 2, iconPixmap(QStringLiteral("check"), 12, t.accent, devicePixelRatioF()));
    left = 22;
  }
  painter.setPen(m_count > 0 ? t.text : t.disabled);
  painter.setFont(m_selected ? strongFont() : baseFont());
  const QRectF text = body.adjusted(left, 0, -8, 0);
  const double room = text.width() - tabularWidth(secondaryFont(), count) - 8;
  painter.drawText(text, int(Qt::AlignVCenter),
                   QFontMetrics(painter.font()).elidedText(m_shown, Qt::ElideMiddle, static_cast<int>(room)));
  painter.setFont(secondaryFont());
  painter.setPen(m_count > 0 ? t.secondary : t.disabled);
  drawTabular(painter, text, Qt::AlignRight, count);
}

}  // namespace roadtune::widgets
