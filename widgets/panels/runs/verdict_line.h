// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/diagnosis.h"

#include <QWidget>

class QLabel;

namespace roadtune::widgets {

class ElidedLabel;

// The gravest thing that can be said about a run, with its evidence and what to do; the others in the tool tip.
class VerdictLine : public QWidget {
  Q_OBJECT
 public:
  explicit VerdictLine(QWidget* parent = nullptr);
  void setVerdicts(const std::vector<runs::Verdict>& verdicts);

 private:
  QLabel* m_mark;
  ElidedLabel* m_text;
};

QString verdictText(const runs::Verdict& verdict);  // one line

}  // namespace roadtune::widgets
