// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/queue_answers.h"

#include "remote/queue/queue_questions.h"
#include "widgets/common/told_words.h"

#include <algorithm>
#include <utility>

namespace roadtune::studio {

QueueAnswers::QueueAnswers(HostQuestions* questions, QObject* parent) : QObject(parent), m_questions(questions) {}

void QueueAnswers::look() {
  m_more = m_asking;
  if (!m_asking) ask();
}

void QueueAnswers::askAgain() {
  m_putOff.clear();
  look();
}

// On the thread that may wait for a person: one question after the other, until none is left that was not put off.
QueueAnswers::Outcome QueueAnswers::askOpen(const QSet<qint64>& putOff, const remote::Prompts& prompts) {
  Outcome outcome{.putOff = putOff};
  const remote::JobQueue queue;
  while (true) {
    const auto open = remote::openQuestions(queue);
    if (!open.ok()) return outcome.status = open.error(), outcome;
    const auto next = std::find_if(open.value().begin(), open.value().end(),
                                   [&](const auto& one) { return !outcome.putOff.contains(one.id); });
    if (next == open.value().end()) return outcome;
    if (next->again && prompts.refused) prompts.refused(next->about.substr(0, next->about.find(": ")));
    const auto answer = remote::askPerson(prompts, *next);
    if (!answer) {
      outcome.putOff.insert(next->id);
      continue;
    }
    // It may have been answered elsewhere meanwhile: then nobody asks it any more.
    outcome.any |= remote::answerQuestion(queue, next->id, *answer).ok();
    outcome.putOff.insert(next->id);
  }
}

void QueueAnswers::ask() {
  m_asking = true;
  m_background.run(
      this, [putOff = m_putOff, prompts = m_questions->asking()] { return askOpen(putOff, prompts); },
      [this](const Outcome& outcome) {
        m_asking = false;
        m_putOff = outcome.putOff;
        if (!outcome.status.ok()) emit failed(widgets::errorText(outcome.status.error()));
        if (outcome.any) emit answered();
        if (std::exchange(m_more, false)) ask();
      });
}

}  // namespace roadtune::studio
