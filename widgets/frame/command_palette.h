// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/frame/overlay.h"

#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace roadtune::widgets {

// Type a few letters of what you want, Enter does it. Works on the actions it is given: disabled ones are left out.
class CommandPalette : public Overlay {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* window);
  void setActions(const QList<QAction*>& actions) { m_actions = actions; }

 protected:
  QSize panelSize(const QSize& window) const override;
  void onOpen() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill();
  void runCurrent();
  QList<QAction*> m_actions;
  QLineEdit* m_edit;
  QListWidget* m_list;
};

}  // namespace roadtune::widgets
