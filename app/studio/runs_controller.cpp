// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/runs_controller.h"

#include "app/studio/folder_path.h"
#include "app/studio/open_place.h"
#include "remote/launch/run_control.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/runs_page.h"

#include <QFileDialog>
#include <QFileInfo>

namespace roadtune::studio {

using widgets::NoticeBar;

RunsController::RunsController(widgets::RunsPage* page, HostQuestions* questions, widgets::StatusStrip* strip,
                               Settings& settings, QObject* parent)
    : QObject(parent),
      m_page(page),
      m_questions(questions),
      m_strip(strip),
      m_settings(settings),
      m_mirrors(questions),
      m_proofs(questions),
      m_history(page->model(), settings) {
  connect(m_feed.worker(), &RunFeed::frameReady, m_page, &widgets::RunsPage::setFrame);
  connect(m_catalogue.worker(), &CatalogueFeed::found, this, &RunsController::takeRuns);
  connect(&m_mirrors, &MirrorKeeper::startClosed, this, [this](const QString& folder, const Status& whole) {
    m_cutStarts[folder] = whole;
    tellOfStart();
    lookNow();
  });
  connectPage();
  connectActions();
}

RunsController::~RunsController() {
  *m_leaves = true;
  m_catalogue.worker()->requestStop();
}

void RunsController::connectPage() {
  connect(m_page, &widgets::RunsPage::runSelected, this, [this](const QString& folder) {
    m_settings.setLastRun(folder);
    m_endTold.clear();
    tellOfStart();
    m_feed.post([feed = m_feed.worker(), folder, request = m_page->request()] {
      feed->setRequest(request);
      feed->open(folder);
    });
  });
  connect(m_page, &widgets::RunsPage::requestChanged, this, [this] {
    m_feed.post([feed = m_feed.worker(), request = m_page->request()] { feed->setRequest(request); });
  });
  connect(m_page, &widgets::RunsPage::saveRequested, this, [this](const QString& folder) {
    control(folder, {.word = protocol::ControlWord::Save}, tr("A checkpoint is written after the current step."));
  });
  connect(m_page, &widgets::RunsPage::evaluateRequested, this, &RunsController::evaluate);
  connect(m_page, &widgets::RunsPage::pauseRequested, this, &RunsController::pause);
  connect(m_page, &widgets::RunsPage::stopRequested, this, &RunsController::stop);
  connect(&m_proofs, &StopProof::proved, this, &RunsController::tellOfProof);
  connect(m_page, &widgets::RunsPage::openFolderRequested, this,
          [this](const QString& folder) { openPlace(folder, m_page->notice()); });
  connect(m_page, &widgets::RunsPage::addFolderRequested, this, &RunsController::addFolder);
  m_page->setOrder(m_settings.runOrder());
  connect(m_page, &widgets::RunsPage::orderChosen, this,
          [this](widgets::RunOrder order) { m_settings.setRunOrder(order); });
  connect(&m_history, &RunHistory::runsMoved, this, [this] {
    m_page->notice()->clear();
    lookNow();
  });
  connect(&m_history, &RunHistory::failed, this, [this](const Error& error) { m_page->notice()->show(error); });
}

void RunsController::setRoots(const QStringList& roots) {
  m_roots = roots;
  m_catalogue.post([feed = m_catalogue.worker(), roots] { feed->setRoots(roots); });
}

bool RunsController::isWatched(const QString& folder) const {
  return std::ranges::any_of(m_roots, [&folder](const QString& root) { return liesIn(folder, root); });
}

void RunsController::watch(const QString& folder) {
  if (isWatched(folder)) return lookNow();
  m_settings.addRunRoot(folder);
  setRoots(m_roots + QStringList(folder));
}

void RunsController::forgetRoot(const QString& folder) {
  QStringList roots = m_roots;
  roots.removeAll(folder);
  setRoots(roots);
}

void RunsController::lookNow() {
  m_catalogue.post([feed = m_catalogue.worker()] { feed->lookNow(); });
}

void RunsController::show(const QString& folder) {
  watch(folder);
  m_page->selectRun(folder);
}

void RunsController::takeRuns(const RunEntries& entries) {
  m_page->setRuns(*entries);
  m_mirrors.look(entries);
  m_proofs.look(entries);
  tellOfLink();
  int running = 0;
  double rate = 0;
  std::map<QString, runs::RunState> states;
  for (const runs::RunEntry& run : *entries) {
    const QString path = widgets::pathText(run.path);
    states[path] = run.state;
    if (run.state == runs::RunState::Running && !run.paused) {
      ++running;
      rate += run.samplesPerSecond.value_or(0);
    }
    const auto before = m_states.find(path);
    if (before != m_states.end() && before->second == runs::RunState::Running && run.state != runs::RunState::Running) {
      emit runEnded(path, QString::fromStdString(run.name), run.state);
    }
  }
  m_states = std::move(states);
  emit liveRunsChanged(running, rate);
  emit runsFound(entries);
}

void RunsController::tellOfLink() {
  const QString folder = m_page->selectedRun();
  const QString trouble = m_mirrors.trouble(folder);
  m_page->header()->setUnreached(m_mirrors.unreached(folder));
  const QString told = trouble.isEmpty() ? QString() : folder + trouble;
  if (told == m_linkTrouble) return;
  if (trouble.isEmpty()) {
    if (m_page->notice()->text() == m_linkText) m_page->notice()->clear();
  } else {
    m_page->notice()->show(NoticeBar::Kind::Warning,
                           tr("The link to the run is down; the run itself goes on. %1").arg(trouble), trouble);
    m_page->notice()->offer(tr("Connect now"), [this, folder] { m_mirrors.keep(folder, true); });
    m_linkText = m_page->notice()->text();
  }
  m_linkTrouble = told;
}

// What came of a start that was cut, once the run is on show.
void RunsController::tellOfStart() {
  const QString folder = m_page->selectedRun();
  const auto found = m_cutStarts.find(folder);
  if (found == m_cutStarts.end()) return;
  const Status whole = found->second;
  m_cutStarts.erase(found);
  if (whole.ok())
    return m_page->notice()->show(NoticeBar::Kind::Info,
                                  tr("The program that started this run ended before every machine had answered. "
                                     "They were asked now, and the run goes on."));
  m_page->notice()->show(whole.error());
}

void RunsController::pause(const QString& folder, bool pause) {
  control(folder, {.word = pause ? protocol::ControlWord::Pause : protocol::ControlWord::Resume},
          pause ? holdsSoon() : tr("The run goes on."));
}

QString RunsController::holdsSoon() { return tr("The run holds after the current step."); }

// Once it holds, the page shows that; nothing is to come.
void RunsController::tellOfPause() {
  if (m_holding == m_page->selectedRun() && m_page->notice()->text() == holdsSoon()) m_page->notice()->clear();
}

void RunsController::stop(const QString& folder, bool now) {
  control(folder, {.word = now ? protocol::ControlWord::StopNow : protocol::ControlWord::Stop},
          now ? tr("The run is being stopped.") : tr("The run writes a checkpoint after the current step and ends."),
          [this, folder] { m_proofs.expect(folder); });
}

void RunsController::tellOfProof(const QString& folder, bool gone, const QString& lines) {
  if (m_page->selectedRun() != folder) return;
  m_page->notice()->show(gone ? NoticeBar::Kind::Good : NoticeBar::Kind::Bad,
                         (gone ? tr("The run is over on every machine.") : tr("Something of the run is left.")) +
                             QLatin1Char('\n') + lines,
                         gone ? QString() : lines);
  if (!gone) m_page->notice()->offer(tr("Look again"), [this, folder] { m_proofs.proveNow(folder); });
}

void RunsController::control(const QString& folder, const protocol::ControlCommand& command, const QString& done,
                             std::function<void()> taken) {
  m_background.run(
      this,
      [path = folder.toStdString(), command, prompts = m_questions->asking()] {
        return remote::sendControl(path, command, prompts);
      },
      [this, folder, done, taken = std::move(taken)](const Result<protocol::ControlReply>& reply) {
        if (taken && reply.ok() && reply.value().ok) taken();
        if (m_page->selectedRun() != folder) return;
        if (!reply.ok()) return m_page->notice()->show(reply.error());
        const bool ok = reply.value().ok;
        const QString message = QString::fromStdString(reply.value().message);
        m_page->notice()->show(ok ? NoticeBar::Kind::Info : NoticeBar::Kind::Warning, ok ? done : message,
                               ok ? QString() : message);
        tellOfPause();
      });
}

void RunsController::addFolder() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Watch a folder for runs"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  connect(dialog, &QFileDialog::fileSelected, this, &RunsController::watch);
  dialog->open();
}

}  // namespace roadtune::studio
