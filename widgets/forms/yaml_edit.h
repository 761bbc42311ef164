// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"

#include <QPlainTextEdit>

#include <vector>

namespace roadtune::widgets {

// The configuration as text. Undo belongs to the document behind it, not to this editor. Lines with problems carry a
// mark at the left and say why as a tool tip.
class YamlEdit : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit YamlEdit(QWidget* parent = nullptr);
  void setYaml(const QString& text);  // keeps cursor and scroll position; no textEdited()
  void setProblems(const std::vector<config::Problem>& problems);
  void goToKey(const QString& key);
  void goToLine(int line);  // counted from 1

 signals:
  void textEdited(const QString& text);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<config::Problem> m_problems;
  bool m_setting = false;
};

}  // namespace roadtune::widgets
