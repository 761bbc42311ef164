// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/queue_answers.h"
#include "app/studio/queue_feed.h"
#include "core/base/result.h"
#include "remote/queue/job_queue.h"

#include <QObject>

#include <functional>
#include <memory>

class QUndoStack;

namespace roadtune::widgets {
class QueuePanel;
}

namespace roadtune::studio {

class ChildJob;

// Shows this user's queue and carries the panel's wishes to it. What starts the runs is a program of its own, which
// stays when the window is closed.
class QueueController : public QObject {
  Q_OBJECT
 public:
  QueueController(widgets::QueuePanel* panel, QUndoStack& steps, HostQuestions* questions, QObject* parent = nullptr);
  ~QueueController() override;

  void start() { lookNow(); }
  void lookNow();
  void work(bool work);  // start or end the program that starts the runs
  bool worked() const { return m_worked; }
  void remove(const QList<qint64>& ids);  // can be taken back

 signals:
  void runRequested(const QString& folder);
  void trainRequested();
  void told(const QString& text);  // for the status bar

 private:
  friend class QueueStep;
  using Removed = remote::JobQueue::Removed;
  // `done` is called when it is over, however it went.
  void change(std::function<Status()> change, std::function<void()> done = {});
  void show(const widgets::QueueViewPtr& view);

  widgets::QueuePanel* m_panel;
  QUndoStack& m_steps;
  QueueAnswers m_answers;
  ChildJob* m_starting = nullptr;
  bool m_worked = false;
  int m_changing = 0;  // views from before a change are not shown
  WorkerThread<QueueFeed> m_feed{"queue feed"};
  Background m_background{"queue"};
};

}  // namespace roadtune::studio
