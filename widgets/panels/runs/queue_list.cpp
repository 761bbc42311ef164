// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/queue_list.h"

#include "widgets/common/theme.h"
#include "widgets/models/queue_model.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <limits>

namespace roadtune::widgets {

QueueList::QueueList(QWidget* parent) : QListView(parent) {
  setFrameShape(QFrame::NoFrame);
  setUniformItemSizes(true);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void QueueList::mousePressEvent(QMouseEvent* event) {
  QListView::mousePressEvent(event);
  m_pressedAt = event->position().toPoint();
  const QModelIndex index = indexAt(m_pressedAt);
  const bool waits = event->button() == Qt::LeftButton && index.data(QueueModel::PlaceRole).toInt() > 0;
  m_held = waits ? QPersistentModelIndex(index) : QPersistentModelIndex();
}

void QueueList::mouseMoveEvent(QMouseEvent* event) {
  if (!m_held.isValid() || !(event->buttons() & Qt::LeftButton)) return QListView::mouseMoveEvent(event);
  const QPoint at = event->position().toPoint();
  if (!dragging() && (at - m_pressedAt).manhattanLength() < QApplication::startDragDistance()) return;
  m_before = gapAt(at.y());
  viewport()->setCursor(Qt::ClosedHandCursor);
  if (const QModelIndex near = indexAt({m_pressedAt.x(), at.y()}); near.isValid()) scrollTo(near);
  viewport()->update();
}

void QueueList::mouseReleaseEvent(QMouseEvent* event) {
  if (!dragging()) {
    m_held = QPersistentModelIndex();
    return QListView::mouseReleaseEvent(event);
  }
  const int row = m_held.row(), before = m_before;
  letGo();
  if (row >= 0) model()->moveRows({}, row, 1, {}, before);
}

void QueueList::keyPressEvent(QKeyEvent* event) {
  if (dragging() && event->key() == Qt::Key_Escape) return letGo();
  QListView::keyPressEvent(event);
}

void QueueList::letGo() {
  m_before = -1;
  m_held = QPersistentModelIndex();
  viewport()->unsetCursor();
  viewport()->update();
}

// Only gaps beside rows that wait: what runs or has ended is not passed.
int QueueList::gapAt(int y) const {
  int best = m_held.row(), nearest = std::numeric_limits<int>::max();
  for (int row = 0; row < model()->rowCount(); ++row) {
    const QModelIndex index = model()->index(row, 0);
    if (index.data(QueueModel::PlaceRole).toInt() == 0) continue;
    const QRect place = visualRect(index);
    for (const auto& [edge, before] : {std::pair(place.top(), row), std::pair(place.bottom() + 1, row + 1)}) {
      if (std::abs(edge - y) >= nearest) continue;
      nearest = std::abs(edge - y);
      best = before;
    }
  }
  return best;
}

void QueueList::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (!dragging()) return;
  const QModelIndex below = model()->index(m_before, 0);
  const int y = below.isValid() ? visualRect(below).top() : visualRect(model()->index(m_before - 1, 0)).bottom();
  QPainter(viewport()).fillRect(QRect(8, std::max(0, y - 1), viewport()->width() - 16, 2), Theme::tokens().accent);
}

}  // namespace roadtune::widgets
