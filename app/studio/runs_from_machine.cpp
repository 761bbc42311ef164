// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/runs_from_machine.h"

#include "app/studio/host_questions.h"
#include "app/studio/runs_controller.h"
#include "widgets/common/notice_bar.h"
#include "widgets/panels/runs/runs_page.h"

#include <QDateTime>
#include <QLocale>
#include <QMenu>

namespace roadtune::studio {

namespace {

using Kind = widgets::NoticeBar::Kind;

QString titleOf(const remote::RunThere& run) {
  return QString::fromStdString(run.manifest.name.empty() ? run.manifest.runId : run.manifest.name);
}

}  // namespace

RunsFromMachine::RunsFromMachine(widgets::RunsPage* page, RunsController* runs, HostQuestions* questions,
                                 std::function<QStringList()> machines, QObject* parent)
    : QObject(parent), m_page(page), m_runs(runs), m_questions(questions), m_machines(std::move(machines)) {
  connect(page->machinesMenu(), &QMenu::aboutToShow, this, &RunsFromMachine::fill);
}

void RunsFromMachine::fill() {
  QMenu* menu = m_page->machinesMenu();
  menu->clear();
  const QStringList machines = m_machines();
  for (const QString& machine : machines) menu->addAction(machine, this, [this, machine] { look(machine); });
  if (machines.isEmpty()) menu->addAction(tr("The Fleet page has no machine yet"))->setEnabled(false);
}

void RunsFromMachine::look(const QString& machine) {
  m_page->notice()->show(Kind::Info, tr("Looking for runs on %1 …").arg(machine));
  m_background.run(
      this,
      [host = machine.toStdString(), prompts = m_questions->asking()]() -> Result<std::vector<remote::RunThere>> {
        ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(prompts));
        return remote::runsOn(host, access);
      },
      [this, machine](Result<std::vector<remote::RunThere>> found) {
        if (!found.ok()) return m_page->notice()->show(found.error());
        choose(machine, found.value());
      });
}

void RunsFromMachine::choose(const QString& machine, const std::vector<remote::RunThere>& found) {
  m_page->notice()->clear();
  if (found.empty())
    return m_page->notice()->show(Kind::Info,
                                  tr("%1 keeps no run that was started from another machine.").arg(machine));
  if (found.size() == 1) return adopt(machine, found.front());
  auto* menu = new QMenu(m_page);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setObjectName(QStringLiteral("runsThere"));
  for (const remote::RunThere& run : found) {
    const QString when = QLocale().toString(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(run.manifest.created)),
                                            QLocale::ShortFormat);
    const QString state = run.ended ? tr("ended") : tr("running");
    menu->addAction(tr("%1, %2, started %3").arg(titleOf(run), state, when), this,
                    [this, machine, run] { adopt(machine, run); });
  }
  menu->popup(m_page->machinesMenu()->pos());
}

void RunsFromMachine::adopt(const QString& machine, const remote::RunThere& run) {
  m_background.run(
      this,
      [host = machine.toStdString(), run, prompts = m_questions->asking()]() -> Result<std::filesystem::path> {
        ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(prompts));
        const std::filesystem::path folder = remote::adoptedFolder(run);
        ROADTUNE_CHECK(remote::adoptRun(run, host, folder, access));
        return folder;
      },
      [this](Result<std::filesystem::path> folder) {
        if (!folder.ok()) return m_page->notice()->show(folder.error());
        const QString path = QString::fromStdString(folder.value().string());
        m_runs->show(path);
        m_runs->follow(path);
      });
}

}  // namespace roadtune::studio
