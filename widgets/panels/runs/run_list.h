// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QListView>

namespace roadtune::widgets {

// The list of runs. What is selected is on show; the cursor may stand elsewhere: Ctrl+arrows move it alone, Ctrl+click
// marks a run without showing it, and a right press leaves everything to the menu.
class RunList : public QListView {
  Q_OBJECT
 public:
  explicit RunList(QWidget* parent = nullptr);
  void moveCursorTo(const QModelIndex& index);

 signals:
  void toggled(const QModelIndex& index);  // Ctrl+click

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  bool m_held = false;  // a press that selects nothing
};

}  // namespace roadtune::widgets
