// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/run_list.h"

#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMouseEvent>

namespace roadtune::widgets {

RunList::RunList(QWidget* parent) : QListView(parent) {}

// Where nothing is under the cursor, focus puts nothing there: Qt would take the first run, and keys would act on it
// while another one is on show.
void RunList::focusInEvent(QFocusEvent* event) {
  if (currentIndex().isValid()) return QListView::focusInEvent(event);
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void RunList::moveCursorTo(const QModelIndex& index) {
  if (!index.isValid()) return;
  selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
  viewport()->update();
}

void RunList::mousePressEvent(QMouseEvent* event) {
  const bool marks = event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier);
  m_held = marks || event->button() == Qt::RightButton;
  if (!m_held) return QListView::mousePressEvent(event);
  event->accept();
  const QModelIndex index = indexAt(event->position().toPoint());
  if (!marks || !index.isValid()) return;
  moveCursorTo(index);
  emit toggled(index);
}

void RunList::mouseMoveEvent(QMouseEvent* event) {
  if (m_held && event->buttons() != Qt::NoButton) return;
  QListView::mouseMoveEvent(event);
}

void RunList::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_held) return QListView::mouseReleaseEvent(event);
  m_held = false;
}

void RunList::mouseDoubleClickEvent(QMouseEvent* event) {
  const bool selects = event->button() == Qt::LeftButton && !event->modifiers().testFlag(Qt::ControlModifier);
  if (selects) return QListView::mouseDoubleClickEvent(event);
  mousePressEvent(event);
}

void RunList::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (event->modifiers().testFlag(Qt::ControlModifier)) {
    if (key == Qt::Key_Up) return moveCursorTo(moveCursor(MoveUp, Qt::NoModifier));
    if (key == Qt::Key_Down) return moveCursorTo(moveCursor(MoveDown, Qt::NoModifier));
    if (key == Qt::Key_Home) return moveCursorTo(moveCursor(MoveHome, Qt::NoModifier));
    if (key == Qt::Key_End) return moveCursorTo(moveCursor(MoveEnd, Qt::NoModifier));
  }
  QListView::keyPressEvent(event);
}

}  // namespace roadtune::widgets
