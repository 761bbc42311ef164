// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/fleet/machine_reading.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace roadtune::widgets {

class PreflightModel;
class TableModel;

// What would go wrong late, told now: the matrix of machines and checks, what is between the machines, and below it one
// line per thing to do.
class PreflightPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PreflightPanel(QWidget* parent = nullptr);
  void setMatrix(const PreflightMatrixPtr& matrix);
  void setChecking(bool checking);
  PreflightModel* model() const { return m_model; }
  PreflightModel* between() const { return m_between; }

 signals:
  void checkRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitTables();
  PreflightModel* m_model;
  PreflightModel* m_between;
  TableModel* m_advice;
  QTreeView* m_table;
  QTreeView* m_betweenTable;
  QTreeView* m_adviceTable;
  QLabel* m_betweenTitle;
  QLabel* m_adviceTitle;
  QLabel* m_summary;
};

// "ready", "1 in the way of a run": the matrix in words.
QString preflightSummary(const PreflightMatrix& matrix);

}  // namespace roadtune::widgets
