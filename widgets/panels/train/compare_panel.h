// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/difference.h"

#include <QPair>
#include <QWidget>

class QComboBox;
class QLabel;
class QStackedWidget;
class QTreeView;

namespace roadtune::widgets {

class EmptyState;
class TableModel;

// What is different in this configuration from that of a run.
class ComparePanel : public QWidget {
  Q_OBJECT
 public:
  explicit ComparePanel(QWidget* parent = nullptr);
  void setRuns(const QList<QPair<QString, QString>>& runs);  // name and folder, newest first
  QString run() const;                                       // chosen; empty: none
  void setDifferences(const std::vector<config::Difference>& differences);
  void setError(const QString& why);
  TableModel* model() const { return m_model; }

 signals:
  void runChosen(const QString& folder);

 private:
  void refreshEmpty();
  QComboBox* m_runs;
  QLabel* m_note;
  QStackedWidget* m_stack;
  EmptyState* m_empty;
  TableModel* m_model;
  QTreeView* m_table;
};

}  // namespace roadtune::widgets
