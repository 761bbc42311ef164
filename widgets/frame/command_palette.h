// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/frame/overlay.h"

#include <QList>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace roadtune::widgets {

// Type a few letters of what you want, Enter does it. Works on the actions it is given: disabled ones are left out. An
// action is found by its text, and by the words of its property kOtherNames.
class CommandPalette : public Overlay {
  Q_OBJECT
 public:
  static constexpr const char* kOtherNames = "otherNames";
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
  QLabel* m_nothing;
};

}  // namespace roadtune::widgets
