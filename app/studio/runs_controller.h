// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/catalogue_feed.h"
#include "app/studio/job_board.h"
#include "app/studio/mirror_keeper.h"
#include "app/studio/run_feed.h"
#include "app/studio/settings.h"
#include "core/protocol/control.h"

#include <QObject>
#include <QSet>

namespace roadtune::widgets {
class RunsPage;
}

namespace roadtune::studio {

// Feeds the Runs page from the disk and carries its wishes to the runs.
class RunsController : public QObject {
  Q_OBJECT
 public:
  RunsController(widgets::RunsPage* page, HostQuestions* questions, JobBoard* jobs, Settings& settings,
                 QObject* parent = nullptr);
  ~RunsController() override;

  void setRoots(const QStringList& roots);
  void show(const QString& folder);  // selects it; its parent becomes a root when it lies outside the known ones
  void follow(const QString& folder) { m_mirrors.keep(folder, true); }  // a run that was just started
  void lookNow();

 signals:
  void branchRequested(const QString& folder, const QString& checkpoint);
  void imagesRequested(const QStringList& samples);
  void alerted(const QString& text);
  void liveRunsChanged(int running, double samplesPerSecond);
  void runsFound(const roadtune::studio::RunEntries& runs);
  void runEnded(const QString& name, runs::RunState state);

 private:
  void connectPage();
  void connectActions();
  void resume(const QString& folder);
  void askName(const QString& folder);
  void moveToTrash(const QString& folder);
  void exportView(const QString& kind);
  void tellOfExport(const QString& file, const QString& error);
  void watchFor(const widgets::RunFramePtr& frame);
  void takeRuns(const RunEntries& entries);
  void tellOfLink();
  void control(const QString& folder, protocol::ControlWord word, const QString& done);
  void addFolder();

  widgets::RunsPage* m_page;
  HostQuestions* m_questions;
  JobBoard* m_jobs;
  Settings& m_settings;
  MirrorKeeper m_mirrors;
  QString m_linkTrouble;  // what the notice says about the link now
  QStringList m_roots;
  WorkerThread<RunFeed> m_feed{"run feed"};
  WorkerThread<CatalogueFeed> m_catalogue{"run catalogue"};
  Background m_background{"run control"};
  std::map<QString, runs::RunState> m_states;
  QSet<QString> m_told;  // of what, about which run
};

}  // namespace roadtune::studio
