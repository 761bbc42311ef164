// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/runs/run_frame.h"
#include "widgets/panels/runs/step_facts.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QTabBar;

namespace roadtune::widgets {

class LogView;
class StepPanel;
class TableModel;
class WorstPanel;

// The tabs below the plots: log, events, configuration, receipt.
class RunDetail : public QWidget {
  Q_OBJECT
 public:
  explicit RunDetail(QWidget* parent = nullptr);
  void setFrame(const RunFrame& frame);
  void setStep(const StepFacts& facts);  // and shows its tab
  void clearStep();
  // What a click on a plot changes: the step, and which tab is open.
  struct Look {
    int tab = 0;
    std::optional<StepFacts> step;
  };
  Look look() const;
  void setLook(const Look& look);
  StepPanel* step() const { return m_step; }
  WorstPanel* worst() const { return m_worst; }

 signals:
  void logRankChosen(int rank);
  void stepChosen(std::int64_t step);  // an event was opened
  void imagesRequested(const QStringList& samples);

 private:
  QWidget* makeTable(TableModel* model, const QString& name, const QString& emptyText, QLabel*& note);
  QTabBar* m_tabs;
  QStackedWidget* m_pages;
  LogView* m_log;
  TableModel* m_events;
  TableModel* m_receipt;
  QLabel* m_noEvents = nullptr;
  QLabel* m_noReceipt = nullptr;
  QPlainTextEdit* m_config;
  StepPanel* m_step;
  WorstPanel* m_worst;
  std::optional<StepFacts> m_stepFacts;
  TableModel* m_differences;
  QLabel* m_noDifferences = nullptr;
};

}  // namespace roadtune::widgets
