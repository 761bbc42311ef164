// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/elided_label.h"

#include <QPainter>

namespace roadtune::widgets {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setText(text);
}

void ElidedLabel::setText(const QString& text) {
  if (text == m_text) return;
  m_text = text;
  setAccessibleName(text);
  updateGeometry();
  refreshToolTip();
  update();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) { m_mode = mode; }

QSize ElidedLabel::sizeHint() const {
  const QFontMetrics metrics(font());
  return {metrics.horizontalAdvance(m_text) + 2, metrics.height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const { return {24, sizeHint().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
  painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, fontMetrics().elidedText(m_text, m_mode, width()));
}

void ElidedLabel::resizeEvent(QResizeEvent*) { refreshToolTip(); }

void ElidedLabel::refreshToolTip() {
  setToolTip(fontMetrics().horizontalAdvance(m_text) > width() ? m_text : QString());
}

}  // namespace roadtune::widgets
