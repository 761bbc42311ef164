// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/train/train_estimate.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;

namespace roadtune::widgets {

class DryRunPanel;
class MemoryBar;
class VariantPanel;

// What a run costs: parameters, batch, steps, memory; and the button that starts it.
class CostPanel : public QWidget {
  Q_OBJECT
 public:
  // `where` stands above the memory; the panel owns it.
  explicit CostPanel(QWidget* where, QWidget* parent = nullptr);
  void setConfig(const config::RunConfig& config);
  void setEstimate(const TrainEstimate& estimate);
  // Why it cannot start, or empty.
  void setBlocked(const QString& why);
  void setToChoose(const QString& what);  // beside a start that asks for it; empty: nothing
  // A button that takes what stands in the way aside, and what happens without it; empty: none.
  void setWayOut(const QString& label, const QString& note);
  void showWhere();  // where it can be seen
  void setStarting(bool starting);
  void setPace(double samplesPerSecond, const QString& run);  // of an earlier run like this one; 0: there is none
  void setProving(bool proving);                              // a dry run is under way: nothing else starts
  DryRunPanel* dryRun() const { return m_dryRun; }
  void showDryRun();  // where it can be seen
  VariantPanel* variants() const { return m_variants; }
  void showVariants();
  QPushButton* startButton() const { return m_start; }

 signals:
  void startRequested();
  void dryRunRequested();
  void queueRequested();  // start it when its turn comes
  void wayOutRequested();
  void fitRequested(const std::vector<std::pair<QString, roadtune::config::Value>>& values);

 private:
  void refreshStart();
  void keepVariantsInSight();
  void keepFocus(bool enabled);
  void refreshLength();
  void refreshMemory();
  QWidget* m_whereWidget;
  QLabel* m_trainable;
  QLabel* m_total;
  QLabel* m_batch;
  QLabel* m_length;
  QLabel* m_memory;
  MemoryBar* m_bar;
  QLabel* m_verdict;
  QLabel* m_assumed;
  QPushButton* m_fit;
  QLabel* m_why;
  QPushButton* m_wayOut;
  QPushButton *m_start, *m_queue, *m_vary, *m_try;
  QPushButton* m_focused = nullptr;  // the one that was pressed, until it can be pressed again
  DryRunPanel* m_dryRun;
  VariantPanel* m_variants;
  QScrollArea* m_scroll;
  config::RunConfig m_config;
  TrainEstimate m_estimate;
  double m_pace = 0;
  QString m_paceOf;
  QString m_blocked, m_toChoose, m_note;
  bool m_starting = false, m_proving = false;
};

// "16 × 4 accumulated × 8 processes × 2 machines = 1,024 samples a step".
QString batchSentence(const config::RunConfig& config, int processes, int machines);

}  // namespace roadtune::widgets
