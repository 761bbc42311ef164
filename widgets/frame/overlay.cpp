// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/overlay.h"

#include "widgets/common/controls.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>

namespace roadtune::widgets {

Overlay::Overlay(QWidget* window) : QWidget(window), m_panel(new QWidget(this)) {
  window->installEventFilter(this);
  hide();
}

void Overlay::open() {
  // One at a time: what another one covers is nothing to come back to.
  for (Overlay* other : parentWidget()->findChildren<Overlay*>(QString(), Qt::FindDirectChildrenOnly))
    if (other != this && !other->staysOpen()) other->close();
  m_focusBefore = QApplication::focusWidget();
  place();
  show();
  raise();
  setFocus();
  onOpen();
}

void Overlay::close() {
  if (!isVisible()) return;
  hide();
  if (m_focusBefore) m_focusBefore->setFocus();
  emit closed();
}

void Overlay::place() {
  setGeometry(parentWidget()->rect());
  const QSize size = panelSize(parentWidget()->size()).boundedTo(parentWidget()->size() - QSize(kBeside, kBeside));
  const int top = std::max(24, (height() - size.height()) / 4);
  m_panel->setGeometry(QRect(QPoint((width() - size.width()) / 2, top), size));
}

bool Overlay::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
  return QWidget::eventFilter(watched, event);
}

void Overlay::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.fillRect(rect(), QColor(0, 0, 0, t.dark ? 110 : 60));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, t.dark ? 90 : 30));
  painter.drawRoundedRect(QRectF(m_panel->geometry()).adjusted(-3, 1, 3, 7), 10, 10);
  painter.setPen(QPen(t.line, 1));
  painter.setBrush(t.raised);
  painter.drawRoundedRect(QRectF(m_panel->geometry()).adjusted(-0.5, -0.5, 0.5, 0.5), 8, 8);
}

void Overlay::mousePressEvent(QMouseEvent* event) {
  if (!m_panel->geometry().contains(event->pos())) close();
}

void Overlay::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close();
  QWidget::keyPressEvent(event);
}

}  // namespace roadtune::widgets
