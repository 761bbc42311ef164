// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>
#include <QWidget>

class QLabel;
class QListWidget;

namespace roadtune::widgets {

// What could not be read, one line each, with a button that copies them all. Hidden while there is nothing.
class ProblemList : public QWidget {
  Q_OBJECT
 public:
  explicit ProblemList(QWidget* parent = nullptr);
  void clear();
  void add(const QString& line);  // "FILE: what; what was done"
  int count() const { return static_cast<int>(m_lines.size()); }

 private:
  void refreshTitle();
  QLabel* m_title;
  QListWidget* m_list;
  QStringList m_lines;
};

// The line with the folder of its file left out: names are what tells them apart.
QString shortProblem(const QString& line);

}  // namespace roadtune::widgets
