// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace roadtune::widgets {

// What a page shows while it has nothing: what the place is for, and the one next action (a second, quieter one is
// allowed). Takes no action itself.
class EmptyState : public QWidget {
  Q_OBJECT
 public:
  EmptyState(const QString& iconName, const QString& title, const QString& text, QWidget* parent = nullptr);
  void setTexts(const QString& title, const QString& text);
  void setActionsShown(bool shown);  // there is nothing to do but wait
  void setQuiet(bool quiet);         // the next action is elsewhere for now
  QPushButton* addPrimary(const QString& text, const QString& objectName);
  QPushButton* addSecondary(const QString& text, const QString& objectName);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void paintIcon();
  QString m_icon;
  QLabel* m_picture;
  QLabel* m_title;
  QLabel* m_text;
  QWidget* m_actions;
  QPushButton* m_primary = nullptr;
  QHBoxLayout* m_buttons;
};

}  // namespace roadtune::widgets
