// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/runs/step_facts.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace roadtune::widgets {

class TableModel;

// One step: its numbers, and the samples it learnt from, the hardest first. A way to see those images.
class StepPanel : public QWidget {
  Q_OBJECT
 public:
  explicit StepPanel(QWidget* parent = nullptr);
  void setFacts(const StepFacts& facts);
  void clear();
  TableModel* values() const { return m_values; }
  TableModel* samples() const { return m_samples; }

 signals:
  void imagesRequested(const QStringList& samples);

 private:
  QLabel* m_title;
  QPushButton* m_show;
  TableModel* m_values;
  TableModel* m_samples;
};

}  // namespace roadtune::widgets
