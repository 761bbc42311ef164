// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointer>
#include <QWidget>

class QLabel;
class QStackedWidget;

namespace roadtune::widgets {

// Beside the page, one panel at a time: import, export, quality. Blocks nothing; Esc or its cross closes it, what runs
// in a panel goes on. The focus goes back to where it was.
class SideDrawer : public QWidget {
  Q_OBJECT
 public:
  explicit SideDrawer(QWidget* parent = nullptr);
  void add(QWidget* panel, const QString& title);
  void show(QWidget* panel);
  void close();
  bool shows(const QWidget* panel) const;
  bool holds(const QWidget* panel) const;  // it is the panel that is, or would be, on show

 signals:
  void shownChanged(bool shown);
  void focusLeft();  // closed, and what had the focus before is gone

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QLabel* m_title;
  QStackedWidget* m_stack;
  QPointer<QWidget> m_before;  // had the focus
};

}  // namespace roadtune::widgets
