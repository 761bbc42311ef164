// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/ssh/prompts.h"

#include <QObject>

#include <functional>
#include <memory>

namespace roadtune::widgets {
class QuestionPanel;
}

namespace roadtune::studio {

// What SSH asks while it connects, answered in the window one question at a time. Connecting threads wait here for the
// answer. Passphrases and passwords are kept in memory until the studio ends, and nowhere else. UI thread, but for the
// prompts it hands out.
class HostQuestions : public QObject {
  Q_OBJECT
 public:
  explicit HostQuestions(widgets::QuestionPanel* panel, QObject* parent = nullptr);
  ~HostQuestions() override;

  remote::Prompts asking() const;  // for what the user asked for
  remote::Prompts quiet() const;   // for what goes on by itself: answers what is remembered, else no
  void close();                    // from now on every answer is no; waiting threads go on

 private:
  struct Desk;
  void showNext();
  void take(bool yes, const QString& text);
  widgets::QuestionPanel* m_panel;
  std::shared_ptr<Desk> m_desk;
};

}  // namespace roadtune::studio
