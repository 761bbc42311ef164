// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/catalogue_feed.h"
#include "app/studio/mirror_keeper.h"
#include "app/studio/run_feed.h"
#include "app/studio/run_history.h"
#include "app/studio/settings.h"
#include "app/studio/stop_proof.h"
#include "app/studio/strip_progress.h"
#include "core/protocol/control.h"
#include "remote/launch/launch.h"

#include <QObject>
#include <QSet>

#include <atomic>
#include <functional>
#include <memory>

namespace roadtune::widgets {
class RunsPage;
class StatusStrip;
}  // namespace roadtune::widgets

namespace roadtune::studio {

// Feeds the Runs page from the disk and carries its wishes to the runs.
class RunsController : public QObject {
  Q_OBJECT
 public:
  RunsController(widgets::RunsPage* page, HostQuestions* questions, widgets::StatusStrip* strip, Settings& settings,
                 QObject* parent = nullptr);
  ~RunsController() override;

  void setRoots(const QStringList& roots);
  void watch(const QString& folder);  // for runs, unless it lies below a folder that is watched
  void forgetRoot(const QString& folder);
  void show(const QString& folder);                                     // selects it, and watches it
  void follow(const QString& folder) { m_mirrors.keep(folder, true); }  // a run that was just started
  void lookNow();
  RunHistory& history() { return m_history; }

 signals:
  void branchRequested(const QString& folder, const QString& checkpoint);
  void weightsRequested(const QString& folder, const QString& checkpoint);
  void imagesRequested(const QStringList& samples);
  void alerted(const QString& folder, const QString& title, const QString& text, bool urgent);
  void liveRunsChanged(int running, double samplesPerSecond);
  void runsFound(const roadtune::studio::RunEntries& runs);
  void runEnded(const QString& folder, const QString& name, runs::RunState state);

 private:
  bool isWatched(const QString& folder) const;
  void connectPage();
  void connectActions();
  void resume(const QString& folder);
  void tellOfResume(const remote::StartedRun& started);
  void evaluate(const QString& folder);
  void changeLive(const QString& folder, const protocol::LiveEdit& edit);
  void askName(const QString& folder);
  void rename(const QString& folder, const QString& name);
  void askTag(const QString& folder);
  void moveToTrash(const QString& folder);
  void tellOfTrash(bool offers);
  void exportView(const QString& kind);
  void savePlot(const QString& key);
  void tellOfExport(const QString& file, const QString& error);
  void watchFor(const widgets::RunFramePtr& frame);
  void tellOf(const runs::Verdict& verdict);
  void tellOfRecovery(const widgets::RunFrame& frame);
  static QString keyOf(const widgets::RunFrame& frame, const runs::Verdict& verdict);
  void tellOfEnd(const widgets::RunFrame& frame);
  static QString withAdvice(const QString& text, const runs::Verdict& verdict);
  void takeRuns(const RunEntries& entries);
  void tellOfLink();
  void tellOfStart();
  void pause(const QString& folder, bool pause);
  static QString holdsSoon();
  void tellOfPause();
  void stop(const QString& folder, bool now);
  void tellOfProof(const QString& folder, bool gone, const QString& lines);
  void control(const QString& folder, const protocol::ControlCommand& command, const QString& done,
               std::function<void()> taken = {});
  void addFolder();

  widgets::RunsPage* m_page;
  HostQuestions* m_questions;
  widgets::StatusStrip* m_strip;
  Settings& m_settings;
  MirrorKeeper m_mirrors;
  StopProof m_proofs;
  RunHistory m_history;
  std::map<QString, Status> m_cutStarts;  // nobody was told of
  QString m_linkTrouble;                  // what was said about the link last
  QString m_linkText;                     // the notice's words for it
  QStringList m_roots;
  WorkerThread<RunFeed> m_feed{"run feed"};
  WorkerThread<CatalogueFeed> m_catalogue{"run catalogue"};
  std::unique_ptr<StripProgress> m_resuming;  // while a run is resumed; outlives its thread
  std::shared_ptr<std::atomic<bool>> m_leaves = std::make_shared<std::atomic<bool>>(false);  // nobody waits any more
  Background m_background{"run control"};
  Background m_resume{"resume"};
  std::map<QString, runs::RunState> m_states;
  QSet<QString> m_told;            // of what, about which run
  QString m_passing;               // of what is told and may pass
  QString m_toldLast, m_toldText;  // the notice's words for it
  QString m_trashText;             // the notice's words for what went to the trash last
  int m_trashStep = 0;             // of the history, that its offer takes back
  QString m_holding;               // the run on show, while it is paused
  QString m_endTold;               // the run on show whose end the notice has told of
};

}  // namespace roadtune::studio
