// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QListView>
#include <QPersistentModelIndex>

namespace roadtune::widgets {

// The rows of a queue. One that waits is dragged to another place among its like: a line shows where it would go, Esc
// lets go of it. The pointer never leaves the list with it, so no drag of the desktop is started.
class QueueList : public QListView {
  Q_OBJECT
 public:
  explicit QueueList(QWidget* parent = nullptr);
  bool dragging() const { return m_before >= 0; }

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  int gapAt(int y) const;  // the row before which something let go there would stand
  void letGo();
  QPersistentModelIndex m_held;
  QPoint m_pressedAt;
  int m_before = -1;  // while a row is dragged: where it would go
};

}  // namespace roadtune::widgets
