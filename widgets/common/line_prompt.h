// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointer>
#include <QRect>
#include <QStringList>
#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace roadtune::widgets {

struct LineQuestion {
  QString name;   // of the prompt, for whoever looks for it
  QString title;  // "Rename baseline"
  QString verb;   // on the button: "Rename"
  QString text = {};
  QStringList known = {};                                  // offered while one types
  std::function<QString(const QString& text)> wrong = {};  // why it cannot be taken; empty: it can
  std::function<QString(const QString& text)> note = {};   // what else taking it does; empty: nothing
};

// Asks for one line beside what it is about, in the window itself. Enter takes what can be taken, trimmed; Esc, or
// going on elsewhere, leaves everything as it was. What is wrong is said while one types. Deletes itself when it is
// done; one of a window at a time.
class LinePrompt : public QWidget {
  Q_OBJECT
 public:
  LinePrompt(QWidget* beside, const QRect& place, LineQuestion question);  // the place is in `beside`

 signals:
  void answered(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void layOut();
  void put();
  void check();
  void accept();
  void leave();
  QPointer<QWidget> m_beside, m_focusBefore;
  QRect m_place;
  LineQuestion m_question;
  QLineEdit* m_edit;
  QLabel* m_told;
  QPushButton* m_accept;
};

}  // namespace roadtune::widgets
