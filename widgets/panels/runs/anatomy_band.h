// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_facts.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace roadtune::widgets {

// Where the time of a step goes: one band, one stretch per part, and a sentence about the largest.
class AnatomyBand : public QWidget {
  Q_OBJECT
 public:
  explicit AnatomyBand(QWidget* parent = nullptr);
  void setAnatomy(const runs::StepAnatomy& anatomy);
  QSize sizeHint() const override { return {400, 48}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Part {
    QString name;
    double seconds;
    QColor colour;
  };
  std::vector<Part> m_parts;
  double m_step = 0;
  std::int64_t m_steps = 0;
};

}  // namespace roadtune::widgets
