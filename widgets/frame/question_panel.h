// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/frame/overlay.h"

#include <QDeadlineTimer>

class QLabel;
class QLineEdit;
class QPushButton;

namespace roadtune::widgets {

// One question over the window: a sentence, perhaps something to compare letter by letter, perhaps a field to fill in.
// Whoever asks waits; every ask() is answered exactly once, also when the panel is closed.
class QuestionPanel : public Overlay {
  Q_OBJECT
 public:
  struct Question {
    QString title, text;
    QString code = {};   // shown in the fixed-width face
    QString field = {};  // name of a field to fill in; empty: none
    bool secret = false;
    QString yes;  // word on the button
  };
  explicit QuestionPanel(QWidget* window);
  void ask(const Question& question);

 signals:
  void answered(bool yes, const QString& text);

 protected:
  QSize panelSize(const QSize& window) const override;
  void onOpen() override;
  bool staysOpen() const override { return m_open; }  // somebody waits for the answer
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void finish(bool yes);
  QLabel* m_title;
  QLabel* m_text;
  QLabel* m_code;
  QLineEdit* m_field;
  QPushButton* m_yes;
  QPushButton* m_no;
  bool m_open = false;
  QDeadlineTimer m_blind;  // until then a key may have been meant for what was typed into before
};

}  // namespace roadtune::widgets
