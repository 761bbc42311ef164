// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/models/queue_model.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace roadtune::widgets {

class ElidedLabel;
class QueueList;

// Runs that start one after the other: their order is changed by dragging or with Alt and the arrows. Asks through
// signals; what it shows comes back as a view.
class QueuePanel : public QWidget {
  Q_OBJECT
 public:
  explicit QueuePanel(QWidget* parent = nullptr);
  void setView(const QueueView& view);
  void setTrouble(const QString& text);  // why the last wish was not granted; empty: none
  QueueModel* model() const { return m_model; }
  QueueList* list() const { return m_list; }

 signals:
  void moveRequested(qint64 id, int place);
  void removeRequested(const QList<qint64>& ids);
  void retryRequested(qint64 id);
  void answerRequested();  // what machines ask
  void runRequested(const QString& folder);
  void workRequested(bool work);  // or rest
  void trainRequested();          // from the empty state

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeEmpty();
  void connectList();
  bool pressed(int key, Qt::KeyboardModifiers modifiers);
  void shift(int by);
  void removeCurrent();
  void showMenu(const QPoint& at);
  void refreshHead();

  QueueModel* m_model;
  QueueList* m_list;
  QStackedWidget* m_stack;
  ElidedLabel* m_state;
  QLabel* m_trouble;
  QToolButton* m_work;
  bool m_worked = false;
};

}  // namespace roadtune::widgets
