// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace roadtune::widgets {

// What the processes of a run printed: one log at a time, filtered by text; stays at the end unless scrolled up.
class LogView : public QWidget {
  Q_OBJECT
 public:
  explicit LogView(QWidget* parent = nullptr);
  void setLog(const std::vector<int>& ranks, int rank, const std::vector<std::string>& lines);

 signals:
  void rankChosen(int rank);

 private:
  void refill();
  std::vector<std::string> m_lines;
  bool m_following = true;
  QComboBox* m_which;
  QLineEdit* m_filter;
  QLabel* m_count;
  QPlainTextEdit* m_text;
};

}  // namespace roadtune::widgets
