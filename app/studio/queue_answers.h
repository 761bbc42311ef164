// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/host_questions.h"
#include "core/base/result.h"

#include <QObject>
#include <QSet>

namespace roadtune::studio {

// Asks in the window what the queue's worker wants to be told, and takes the answers to it. What was not answered is
// not asked again by itself: the job waits on, and its row in the queue has the question.
class QueueAnswers : public QObject {
  Q_OBJECT
 public:
  explicit QueueAnswers(HostQuestions* questions, QObject* parent = nullptr);
  void look();      // something is asked
  void askAgain();  // on request: also what was put off

 signals:
  void answered();
  void failed(const QString& text);

 private:
  struct Outcome {
    QSet<qint64> putOff;
    bool any = false;
    Status status = {};
  };
  void ask();
  static Outcome askOpen(const QSet<qint64>& putOff, const remote::Prompts& prompts);
  HostQuestions* m_questions;
  QSet<qint64> m_putOff;  // questions
  bool m_asking = false, m_more = false;
  Background m_background{"queue answers"};
};

}  // namespace roadtune::studio
