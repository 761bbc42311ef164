// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/run_config.h"

#include <QList>
#include <QPair>
#include <QWidget>

#include <map>
#include <string>
#include <vector>

class QLabel;
class QScrollArea;

namespace roadtune::widgets {

class FieldRow;

// Every setting of the schema, section by section. Shows the often changed ones, what was changed, and what has a
// problem; all of them on request. Search looks through all.
class SchemaForm : public QWidget {
  Q_OBJECT
 public:
  explicit SchemaForm(QWidget* parent = nullptr);
  void setConfig(const config::RunConfig& config);
  // In place of their values, until the next setConfig: what cannot be read stays as it was typed.
  void setUnread(const std::map<std::string, std::string>& words);
  void setProblems(const std::vector<config::Problem>& problems);
  void setSearch(const QString& text);
  void setAllShown(bool all);
  void setFix(const QString& name, const QString& label);  // a button that takes a problem away; empty: none
  FieldRow* fieldRow(const QString& name) const;
  void setSuggestions(const QString& name, const QString& title, const QList<QPair<QString, QString>>& values);
  void reveal(const QString& name);  // scrolls there and marks it for a moment
  void goTo(const QString& name);    // and puts the cursor in
  void commit();                     // what is typed in a field that still has the cursor

 signals:
  void edited(const QString& name, const roadtune::config::Value& value);
  void resetRequested(const QString& name);
  void yamlRequested(const QString& name);
  void fixRequested(const QString& name);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refreshVisibility();
  void setTitleWidth(int width);
  struct Part {
    QLabel* title;
    std::vector<FieldRow*> rows;
  };
  std::vector<Part> m_parts;
  std::map<QString, FieldRow*> m_rows;
  std::map<QString, QString> m_problems;
  config::RunConfig m_config;
  QString m_search;
  bool m_all = false;
  int m_titleWidth = 0;
  QScrollArea* m_scroll;
  QLabel* m_nothing;
};

}  // namespace roadtune::widgets
