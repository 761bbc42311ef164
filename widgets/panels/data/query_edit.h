// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLineEdit>

class QCompleter;
class QStringListModel;

namespace roadtune::widgets {

// A line edit that completes the word at the cursor and underlines a stretch that is wrong. Undo and redo are left to
// the window, which takes back queries.
class QueryEdit : public QLineEdit {
  Q_OBJECT
 public:
  explicit QueryEdit(QWidget* parent = nullptr);
  void setWords(const QStringList& words);
  bool growing() const;                  // the word at the cursor begins a known one, and is none itself
  void markError(int from, int length);  // length 0 clears

 signals:
  void helpRequested();  // by ? where it is no part of a text in quotes, or by the mouse
  void left();           // by Down, or by Esc where there is nothing to clear

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QString wordAtCursor() const;
  void offerWords();
  bool takeKey(int key);
  bool inQuotes() const;
  QCompleter* m_completer;
  QStringListModel* m_words;
  int m_errorFrom = 0, m_errorLength = 0;
};

}  // namespace roadtune::widgets
