// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QWidget>

class QAbstractItemModel;
class QLabel;
class QTreeView;

namespace roadtune::widgets {

class PreflightModel;
class TableModel;

// What would go wrong late, told now: the matrix of machines and checks, and below it one line per thing to do.
class PreflightPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PreflightPanel(QWidget* parent = nullptr);
  void setMatrix(const PreflightMatrixPtr& matrix);
  void setChecking(bool checking);
  PreflightModel* model() const { return m_model; }

 signals:
  void checkRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QTreeView* makeTable(const QString& name, const QString& title, QAbstractItemModel* model) const;
  void fitTables();
  PreflightModel* m_model;
  TableModel* m_advice;
  QTreeView* m_table;
  QTreeView* m_adviceTable;
  QLabel* m_adviceTitle;
  QLabel* m_summary;
};

// "ready", "1 in the way of a run": the matrix in words.
QString preflightSummary(const PreflightMatrix& matrix);

}  // namespace roadtune::widgets
