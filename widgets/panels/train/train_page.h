// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/train/train_estimate.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace roadtune::widgets {

class ComparePanel;
class CostPanel;
class ElidedLabel;
class ModulePanel;
class NoticeBar;
class SchemaForm;
class WherePanel;
class YamlEdit;

// Setting up a run: what is trained, how, and what it costs. Edits nothing itself: it reports what the user wants and
// shows the document it is given.
class TrainPage : public QWidget {
  Q_OBJECT
 public:
  explicit TrainPage(QWidget* parent = nullptr);
  void setDocument(const QString& name, const QString& yaml, bool unsaved);
  void setConfig(const config::RunConfig& config);
  void setProblems(const std::vector<config::Problem>& problems);
  void setEstimate(const TrainEstimate& estimate);
  void setUndoable(bool undo, bool redo);
  // Text that is no YAML is shown as text, at the line that stops it; the form waits until it can be read again.
  void setReadable(bool readable, int line);

  SchemaForm* form() const { return m_form; }
  YamlEdit* yaml() const { return m_yaml; }
  ModulePanel* modules() const { return m_modules; }
  CostPanel* cost() const { return m_cost; }
  ComparePanel* compare() const { return m_compare; }
  WherePanel* where() const { return m_where; }
  NoticeBar* notice() const { return m_notice; }
  QSplitter* splitter() const { return m_split; }
  void showYaml(bool yaml);
  void goToProblem();  // the first one, errors before warnings, with the cursor in its field or at its line
  void goTo(const config::Problem& problem);
  void focusSearch();
  void focusMain();

 signals:
  void fieldEdited(const QString& name, const roadtune::config::Value& value);
  void fieldReset(const QString& name);
  void yamlEdited(const QString& text);
  void presetRequested(const QString& name);
  void openRequested();
  void importRequested();
  void saveRequested();
  void undoRequested();
  void redoRequested();

 private:
  QWidget* makeMiddle();
  QWidget* makeTop();
  const config::Problem* firstProblem() const;
  std::vector<config::Problem> m_problems;
  bool m_readable = true;
  NoticeBar* m_notice;
  ModulePanel* m_modules;
  WherePanel* m_where;
  CostPanel* m_cost;
  SchemaForm* m_form;
  YamlEdit* m_yaml;
  ComparePanel* m_compare;
  QSplitter* m_split;
  ElidedLabel* m_name = nullptr;
  QTabBar* m_tabs = nullptr;
  QStackedWidget* m_stack = nullptr;
  QLineEdit* m_search = nullptr;
  QToolButton* m_all = nullptr;
  QToolButton* m_problemButton = nullptr;
  QToolButton* m_undo = nullptr;
  QToolButton* m_redo = nullptr;
};

}  // namespace roadtune::widgets
