// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_overlay.h"

#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadtune::widgets {
namespace {
constexpr double kLeastBox = 5;  // pixels: a shorter drag is a click
constexpr double kDotRadius = 3.5;
}  // namespace

PlotOverlay::PlotOverlay(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::CrossCursor);
}

void PlotOverlay::setCrosshair(double x, const std::vector<Dot>& dots, const QString& label) {
  m_cross = x;
  m_dots = dots;
  m_label = label;
  update();
}

void PlotOverlay::clearCrosshair() {
  if (!m_cross) return;
  m_cross.reset();
  update();
}

void PlotOverlay::setSentence(const QString& sentence) {
  m_sentence = sentence;
  setAccessibleDescription(sentence);
  update();
}

void PlotOverlay::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(t.secondary);
  painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_sentence);
  if (m_drag == Drag::Zoom && std::abs(m_at - m_from) >= kLeastBox) {
    QColor fill = t.accent;
    fill.setAlphaF(0.15);
    const QRectF box(std::min(m_from, m_at), 0, std::abs(m_at - m_from), height());
    painter.fillRect(box, fill);
    painter.setPen(QPen(t.accent, 1));
    painter.drawLine(box.topLeft(), box.bottomLeft());
    painter.drawLine(box.topRight(), box.bottomRight());
  }
  if (m_cross && *m_cross >= 0 && *m_cross <= width()) {
    const double x = std::floor(*m_cross) + 0.5;
    painter.setPen(QPen(t.secondary, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    for (const Dot& dot : m_dots) {
      if (!(dot.y >= -kDotRadius && dot.y <= height() + kDotRadius)) continue;
      painter.setPen(QPen(t.surface, 1.5));
      painter.setBrush(dot.colour);
      const double y = std::clamp(dot.y, kDotRadius, height() - kDotRadius);  // whole, also at the very edge
      painter.drawEllipse(QPointF(dot.x, y), kDotRadius, kDotRadius);
    }
    painter.setFont(secondaryFont());
    const double wide = tabularWidth(painter.font(), m_label) + 12;
    QRectF tag(x + 6, 2, wide, 18);
    if (tag.right() > width()) tag.moveRight(x - 6);
    painter.setPen(QPen(t.line, 1));
    painter.setBrush(t.raised);
    painter.drawRoundedRect(tag, 3, 3);
    painter.setPen(t.text);
    drawTabular(painter, tag, Qt::AlignHCenter, m_label);
  }
  if (hasFocus()) {
    QColor ring = t.accent;
    ring.setAlphaF(0.5);
    painter.setPen(QPen(ring, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void PlotOverlay::mousePressEvent(QMouseEvent* event) {
  m_clicked = false;
  const bool pan = event->button() == Qt::MiddleButton || (event->modifiers() & Qt::ShiftModifier);
  if (event->button() != Qt::LeftButton && !pan) return;
  m_drag = pan ? Drag::Pan : Drag::Zoom;
  m_from = m_at = event->position().x();
}

void PlotOverlay::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (m_drag == Drag::Pan) emit panned(x - m_at);
  m_at = x;
  if (m_drag != Drag::Pan) emit hovered(x);
  update();
}

void PlotOverlay::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = m_drag;
  m_drag = Drag::None;
  m_at = event->position().x();
  if (drag == Drag::Zoom) {
    if (std::abs(m_at - m_from) >= kLeastBox) {
      emit boxZoomed(std::min(m_from, m_at), std::max(m_from, m_at));
    } else {
      m_clicked = true;
      emit clicked(m_at);
    }
  }
  update();
}

void PlotOverlay::mouseDoubleClickEvent(QMouseEvent*) {
  m_drag = Drag::None;
  if (std::exchange(m_clicked, false)) emit clickTakenBack();
  emit fitRequested();
}

void PlotOverlay::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  if (notches != 0) emit wheelZoomed(event->position().x(), std::pow(0.8, notches));
  event->accept();
}

void PlotOverlay::leaveEvent(QEvent*) { emit left(); }

void PlotOverlay::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) return openMenuByKey();
  emit hovered(event->pos().x());
  emit menuRequested(event->globalPos());
}

// Where the crosshair stands, which keys move as well.
void PlotOverlay::openMenuByKey() {
  emit menuRequested(mapToGlobal(QPoint(qRound(m_cross.value_or(width() / 2.0)), height() / 2)));
}

void PlotOverlay::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left: emit keyMoved(-1); return;
    case Qt::Key_Right: emit keyMoved(1); return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: emit wheelZoomed(m_cross.value_or(width() / 2.0), 0.8); return;
    case Qt::Key_Minus: emit wheelZoomed(m_cross.value_or(width() / 2.0), 1.25); return;
    case Qt::Key_F10:
      if (event->modifiers() == Qt::ShiftModifier) return openMenuByKey();
      return QWidget::keyPressEvent(event);
    case Qt::Key_Home:
    case Qt::Key_F: emit fitRequested(); return;
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace roadtune::widgets
