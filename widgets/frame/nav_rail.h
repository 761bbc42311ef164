// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <vector>

class QAction;
class QToolButton;
class QVBoxLayout;

namespace roadtune::widgets {

// The rail at the left: one checkable action per page, icon above word, and quieter ones at the bottom.
class NavRail : public QWidget {
  Q_OBJECT
 public:
  explicit NavRail(QWidget* parent = nullptr);
  void addPage(QAction* action);  // checkable, exclusive within the rail's action group
  void addBottom(QAction* action);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QToolButton* makeButton(QAction* action);
  QVBoxLayout* m_layout;
  int m_pages = 0;
};

}  // namespace roadtune::widgets
