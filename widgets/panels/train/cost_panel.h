// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/train/train_estimate.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace roadtune::widgets {

class MemoryBar;

// What a run costs: parameters, batch, steps, memory; and the button that starts it.
class CostPanel : public QWidget {
  Q_OBJECT
 public:
  explicit CostPanel(QWidget* parent = nullptr);
  void setConfig(const config::RunConfig& config);
  void setEstimate(const TrainEstimate& estimate);
  // Why it cannot start, or empty.
  void setBlocked(const QString& why);
  void setStarting(bool starting);
  QPushButton* startButton() const { return m_start; }

 signals:
  void startRequested();

 private:
  void refreshStart();
  QLabel* m_trainable;
  QLabel* m_total;
  QLabel* m_batch;
  QLabel* m_length;
  QLabel* m_memory;
  MemoryBar* m_bar;
  QLabel* m_verdict;
  QLabel* m_why;
  QPushButton* m_start;
  QString m_blocked;
  bool m_starting = false;
};

// "16 × 4 accumulated × 8 processes = 512 samples a step".
QString batchSentence(const config::RunConfig& config);

}  // namespace roadtune::widgets
