// SPDX-License-Identifier: GPL-3.0-or-later
// What the palette offers: the part of Studio that names actions of the whole program.
#include "app/studio/data_controller.h"
#include "app/studio/fleet_controller.h"
#include "app/studio/language.h"
#include "app/studio/main_window.h"
#include "app/studio/queue_controller.h"
#include "app/studio/runs_controller.h"
#include "app/studio/studio.h"
#include "app/studio/train_controller.h"
#include "app/studio/undo_commands.h"
#include "widgets/frame/status_strip.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QAction>

namespace roadtune::studio {

void Studio::addResultCommands() {
  using widgets::RunResult;
  const auto add = [this](RunResult kind, const char* name, const QString& text) {
    const QAction* command = m_window->addCommand(QLatin1String(name), text, {}, QStringLiteral("runs"));
    connect(command, &QAction::triggered, this, [this, kind] {
      widgets::RunsPage* page = m_window->runsPage();
      m_window->setPage(Page::Runs);
      if (page->selectedRun().isEmpty()) return m_window->statusStrip()->setMessage(tr("Choose a run first."));
      emit page->resultRequested(kind, page->selectedRun());
    });
  };
  add(RunResult::Report, "reportCommand", tr("Write a report of the run"));
  add(RunResult::Merge, "mergeCommand", tr("Merge the run's adapter into its model"));
  add(RunResult::Predict, "predictCommand", tr("Predict with the model of the run"));
}

void Studio::addCommands() {
  MainWindow* window = m_window.get();
  QAction* start = window->addCommand(QStringLiteral("startRunCommand"), tr("Start run"), {}, QStringLiteral("play"));
  start->setShortcuts(
      {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter), QKeySequence(Qt::Key_F5)});
  connect(start, &QAction::triggered, m_train.get(), &TrainController::startRun);
  const auto add = [window](const char* name, const QString& text, const QKeySequence& keys, const char* icon,
                            auto* receiver, auto call) {
    connect(window->addCommand(QLatin1String(name), text, keys, QLatin1String(icon)), &QAction::triggered, receiver,
            call);
  };
  add("saveConfigCommand", tr("Save the configuration"), QKeySequence::Save, "save", m_train.get(),
      &TrainController::save);
  new UndoCommands(window, &m_data->history(), &m_runs->history().steps(), m_train.get());
  add("demoCommand", tr("Open the demo project"), {}, "external", this, &Studio::openDemo);
  add("addMachineCommand", tr("Add machines to the fleet"), {}, "fleet", m_fleet.get(), &FleetController::addMachines);
  add("checkFleetCommand", tr("Check all machines"), {}, "refresh", m_fleet.get(), [this] { m_fleet->check(true); });
  add("importCommand", tr("Import recordings"), {}, "plus", window->dataPage(), &widgets::DataPage::importRequested);
  add("exportCommand", tr("Export the images of the query"), {}, "export", window->dataPage(),
      &widgets::DataPage::exportRequested);
  add("trainOnCommand", tr("Train on these images"), {}, "train", window->dataPage(),
      &widgets::DataPage::trainRequested);
  add("qualityCommand", tr("Show how good the data is for training"), {}, "quality", window->dataPage(),
      &widgets::DataPage::qualityRequested);
  add("openDataCommand", tr("Open an index"), QKeySequence::Open, "folder", window->dataPage(),
      &widgets::DataPage::openRequested);
  add("lightCommand", tr("Light theme"), {}, "theme", this, [this] { setTheme(widgets::ThemeChoice::Light); });
  add("darkCommand", tr("Dark theme"), {}, "theme", this, [this] { setTheme(widgets::ThemeChoice::Dark); });
  add("desktopThemeCommand", tr("Theme of the desktop"), {}, "theme", this,
      [this] { setTheme(widgets::ThemeChoice::Desktop); });
  for (const Language& one : languages()) {
    QAction* speak =
        window->addCommand(QStringLiteral("languageCommand_") + QLatin1String(one.code),
                           tr("Language: %1").arg(QString::fromUtf8(one.name)), {}, QStringLiteral("text"));
    connect(speak, &QAction::triggered, this, [this, code = QLatin1String(one.code)] { setLanguage(code); });
  }
  add("dryRunCommand", tr("Dry run: prove that the run will work"), {}, "check", m_train.get(),
      &TrainController::dryRun);
  addResultCommands();
  add("queueRunCommand", tr("Put the run into the queue"), {}, "runs", m_train.get(), &TrainController::queueRun);
  add("varyRunCommand", tr("Queue variants of the run"), {}, "runs", window, [window] {
    window->setPage(Page::Train);
    window->trainPage()->cost()->showVariants();
  });
  add("startQueueCommand", tr("Start the queue"), {}, "play", m_queue.get(), [this] { m_queue->work(true); });
  add("pauseQueueCommand", tr("Pause the queue; what runs goes on"), {}, "pause", m_queue.get(),
      [this] { m_queue->work(false); });
  add("quit", tr("Quit"), QKeySequence::Quit, "close", window, &QWidget::close);
  auto* header = window->runsPage()->header();
  for (QAction* action : {header->saveAction(), header->evaluateAction(), header->pauseAction(), header->stopAction(),
                          header->stopNowAction()}) {
    action->setEnabled(false);
    window->addAction(action);
  }
}

}  // namespace roadtune::studio
