// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/catalogue_feed.h"
#include "app/studio/run_feed.h"
#include "app/studio/settings.h"
#include "core/protocol/control.h"

#include <QObject>

namespace roadtune::widgets {
class RunsPage;
}

namespace roadtune::studio {

// Feeds the Runs page from the disk and carries its wishes to the runs.
class RunsController : public QObject {
  Q_OBJECT
 public:
  RunsController(widgets::RunsPage* page, Settings& settings, QObject* parent = nullptr);
  ~RunsController() override;

  void setRoots(const QStringList& roots);
  void show(const QString& folder);  // selects it; its parent becomes a root when it lies outside the known ones
  void lookNow();

 signals:
  void liveRunsChanged(int running, double samplesPerSecond);
  void runEnded(const QString& name, runs::RunState state);

 private:
  void connectPage();
  void takeRuns(const RunEntries& entries);
  void control(const QString& folder, protocol::ControlWord word, const QString& done);
  void addFolder();

  widgets::RunsPage* m_page;
  Settings& m_settings;
  QStringList m_roots;
  WorkerThread<RunFeed> m_feed{"run feed"};
  WorkerThread<CatalogueFeed> m_catalogue{"run catalogue"};
  Background m_background{"run control"};
  std::map<QString, runs::RunState> m_states;
};

}  // namespace roadtune::studio
