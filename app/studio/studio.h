// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/data_controller.h"
#include "app/studio/desktop_notices.h"
#include "app/studio/desktop_theme.h"
#include "app/studio/fleet_controller.h"
#include "app/studio/host_questions.h"
#include "app/studio/job_board.h"
#include "app/studio/language.h"
#include "app/studio/machine_feed.h"
#include "app/studio/main_window.h"
#include "app/studio/options.h"
#include "app/studio/queue_controller.h"
#include "app/studio/run_results.h"
#include "app/studio/runs_controller.h"
#include "app/studio/settings.h"
#include "app/studio/train_controller.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace roadtune::studio {

class DemoProject;
class LeftOut;
class RunsFromMachine;
class SettingsPanel;
class TrainOn;
class SampleVisit;
class WorstSamples;

// Puts the window, the controllers and their threads together. One per process.
class Studio : public QObject {
  Q_OBJECT
 public:
  explicit Studio(const Options& options);
  ~Studio() override;

  void start();  // shows the window and opens what was asked for, or what was open last
  MainWindow* window() const { return m_window.get(); }
  TrainController* train() const { return m_train.get(); }
  DataController* data() const { return m_data.get(); }
  RunsController* runs() const { return m_runs.get(); }
  QueueController* queue() const { return m_queue.get(); }
  FleetController* fleet() const { return m_fleet.get(); }

 private:
  void addCommands();
  void addResultCommands();
  void connectParts();
  void openStart();
  void restore();
  void remember();
  void openDemo();
  void connectData();
  void connectQueue();
  void connectLosses();
  void tellOfQueued(int count);
  void showInOrderOf(const QString& run);
  void tellDesktop(const QString& folder, const QString& title, const QString& text, bool urgent);
  void openDropped(const QStringList& paths);
  void takeIndex();
  void setLanguage(const QString& code);
  void setTheme(widgets::ThemeChoice choice);
  void takePicture();

  Options m_options;
  Settings m_settings;
  Translation m_translation;
  DesktopTheme m_desktop;
  DesktopNotices m_notices;
  std::unique_ptr<MainWindow> m_window;
  std::unique_ptr<JobBoard> m_jobs;
  std::unique_ptr<HostQuestions> m_questions;
  std::unique_ptr<FleetController> m_fleet;
  std::unique_ptr<RunsController> m_runs;
  std::unique_ptr<RunsFromMachine> m_elsewhere;
  std::unique_ptr<RunResults> m_results;
  std::unique_ptr<QueueController> m_queue;
  std::unique_ptr<DataController> m_data;
  std::unique_ptr<WorstSamples> m_worst;
  std::unique_ptr<TrainController> m_train;
  std::unique_ptr<DemoProject> m_demo;
  std::unique_ptr<LeftOut> m_leftOut;
  std::unique_ptr<TrainOn> m_trainOn;
  SettingsPanel* m_settingsPanel = nullptr;
  SampleVisit* m_visit = nullptr;
  QTimer m_remembering;  // a studio that is killed comes back as it was seconds before
  WorkerThread<MachineFeed> m_machine{"machine"};
};

}  // namespace roadtune::studio
