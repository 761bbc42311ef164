// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/run_config.h"

#include <QList>
#include <QPair>
#include <QWidget>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace roadtune::widgets {

// One setting of a form: title, editor, unit, a mark when it differs from the default (click it to go back), and what
// is wrong with it. Reports what the user typed; shows what it is told.
class FieldRow : public QWidget {
  Q_OBJECT
 public:
  explicit FieldRow(const config::Field& field, QWidget* parent = nullptr);
  const config::Field& field() const { return m_field; }
  void setValue(const config::Value& value, bool changed);
  void setProblem(const QString& text, bool error);  // empty: none
  void setDecided(const QString& by);                // another setting has the say; empty: none has
  void setFix(const QString& label);                 // a button below the problem that takes it away; empty: none
  // Values one click or Down away, each with its name; empty: none.
  using Suggestions = QList<QPair<QString, QString>>;
  void setSuggestions(const QString& title, const Suggestions& values);
  void flash();                   // here it is
  void setTitleWidth(int width);  // longer titles take a second line
  bool matches(const QString& search) const;
  void focusEditor();
  void commit();  // what is typed and not taken yet
  QWidget* editor() const { return m_editor; }

 signals:
  void edited(const QString& name, const roadtune::config::Value& value);
  void resetRequested(const QString& name);
  void yamlRequested(const QString& name);
  void fixRequested(const QString& name);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QWidget* makeEditor();
  QLineEdit* makeLine();
  void commitLine();
  void suggest();

  const config::Field& m_field;
  QString m_name;
  QWidget* m_editor = nullptr;
  QCheckBox* m_check = nullptr;
  QComboBox* m_combo = nullptr;
  QLineEdit* m_line = nullptr;
  QToolButton* m_deep = nullptr;  // "edit as YAML", for values too deep for a line
  QLabel* m_title;
  QLabel* m_problem;
  QPushButton* m_fix = nullptr;
  QToolButton* m_reset;
  QString m_shown, m_problemText, m_decided;
  bool m_isError = false;
  QAction* m_suggest = nullptr;
  QString m_suggestTitle;
  Suggestions m_suggestions;
  bool m_changed = false, m_flashing = false;
};

}  // namespace roadtune::widgets
