// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/host_questions.h"
#include "app/studio/host_watch.h"
#include "app/studio/preflight_history.h"
#include "app/studio/preflight_work.h"
#include "app/studio/settings.h"
#include "app/studio/strip_progress.h"

#include <QObject>
#include <QPointer>

#include <map>
#include <memory>

namespace roadtune::widgets {
class AddMachinePanel;
class FleetPage;
class StatusStrip;
}  // namespace roadtune::widgets

namespace roadtune::studio {

// The machines of the user: remembers them, looks at them while their page is on show, checks them on request.
// Nothing is connected to before the user goes there, and the network between machines is measured only when asked for.
class FleetController : public QObject {
  Q_OBJECT
 public:
  FleetController(widgets::FleetPage* page, widgets::StatusStrip* strip, HostQuestions* questions, Settings& settings,
                  QObject* parent = nullptr);
  ~FleetController() override;

  void checkHere();         // this machine alone, without a question
  void check(bool asking);  // all of them
  // These, also ones that are not remembered, for a run that shall go there.
  void checkFor(const config::RunConfig& config, const QStringList& names);
  void addMachines();  // opens the panel
  const std::vector<widgets::FleetMachine>& machines() const { return m_machines; }
  MachineMeans means(const QString& name) const;  // "" is this machine
  // The checks of these machines, once there are any.
  std::vector<widgets::PreflightColumn> columns(const QStringList& names) const;
  // What was found between these machines when all of them were looked at together; of one, that it has the run's data.
  std::vector<widgets::PreflightCheck> between(const QStringList& names) const;
  bool checking() const { return m_checks > 0; }

 signals:
  void machinesChanged();
  void checked();

 private:
  using Watch = WorkerThread<HostWatch>;
  void connectPage();
  void add(const QStringList& names, const QString& group);
  void remove(const QString& name);
  void askGroup(const QString& name);
  QStringList groups() const;
  void watch(const QString& name, const remote::Prompts& prompts);
  void setWatching(bool on);
  // And keeps what was found.
  void run(const QStringList& names, const std::optional<config::RunConfig>& config, const remote::Prompts& prompts,
           bool asking);
  void take(const PreflightResult& result, bool together);
  void measure(const QStringList& reached, const std::optional<config::RunConfig>& config);
  void endCheck();
  void takeReading(const QString& host, widgets::MachineState state, const QString& message,
                   const widgets::MachineReadingPtr& reading);
  void save();

  widgets::FleetPage* m_page;
  widgets::AddMachinePanel* m_panel;
  widgets::StatusStrip* m_strip;
  HostQuestions* m_questions;
  Settings& m_settings;
  PreflightHistory m_history;
  std::vector<widgets::FleetMachine> m_machines;
  std::map<QString, std::shared_ptr<Watch>> m_watches;
  std::map<QString, MachineMeans> m_means;
  widgets::PreflightMatrix m_matrix;
  QStringList m_together;  // whom the matrix compares
  bool m_watching = false, m_looked = false;
  int m_checks = 0;
  QPointer<StripProgress> m_measuring;  // the newest; a child, which outlives the thread that tells it
  Background m_background{"preflight"};
};

}  // namespace roadtune::studio
