// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTimer;

namespace roadtune::widgets {

class QueryEdit;
class QuerySheet;

// The query as text, with completion; what is wrong is underlined at its column and said below.
class QueryLine : public QWidget {
  Q_OBJECT
 public:
  explicit QueryLine(QWidget* parent = nullptr);
  QString text() const;
  void setText(const QString& text);  // and applies it
  void apply();                       // what was typed, at once
  void setCount(std::size_t count, std::size_t all);
  void setSelected(std::size_t images);  // said beside the count where there are several
  void setError(const data::QueryError& error);
  void clearError();  // the query was answered
  void setCompletions(const QStringList& words);
  // Nothing was found for a word that may still grow into one of the completions: what was found before may stay. It
  // is asked again once the typing is over.
  bool holdsOn();
  void focusEdit();
  QLineEdit* edit() const;
  QLabel* countLabel() const { return m_count; }  // for whoever lays it out

 signals:
  void applied(const QString& query);  // typed and quiet for a moment, Enter, or set
  void left();                         // for the images: Enter, Down, or Esc where there is nothing to clear
  void edited();                       // by hand or otherwise; not applied yet

 private:
  void enter();
  void askAgain();
  void showCount();
  void showHelp();
  QueryEdit* m_edit;
  QuerySheet* m_help = nullptr;  // made when it is asked for
  QLabel* m_count;
  QLabel* m_error;
  QTimer* m_quiet;
  QString m_counted;
  std::size_t m_selected = 0;
  QString m_applied;
  bool m_asked = false;     // no answer yet
  bool m_held = false;      // the answer was not shown
  bool m_entering = false;  // goes to the images when they are there
};

}  // namespace roadtune::widgets
