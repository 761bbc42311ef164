// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/job_board.h"
#include "widgets/panels/runs/result_panel.h"

#include <QObject>

namespace roadtune::widgets {
class RunsPage;
}

namespace roadtune::studio {

// Makes something of a run, each by the command of the same name as a child: a report to share, its adapters merged
// into their model, predictions of a checkpoint.
class RunResults : public QObject {
  Q_OBJECT
 public:
  RunResults(widgets::RunsPage* page, JobBoard* jobs, QObject* parent = nullptr);

 signals:
  void predictionsWanted(const roadtune::widgets::ResultPanel::Wish& done);

 private:
  void offer(widgets::RunResult kind, const QString& run);
  void start(const widgets::ResultPanel::Wish& wish);
  void tell(const widgets::ResultPanel::Wish& wish);
  widgets::RunsPage* m_page;
  JobBoard* m_jobs;
  Background m_background{"run results"};
};

}  // namespace roadtune::studio
