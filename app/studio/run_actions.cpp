// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with a run that is over: the part of RunsController that changes things on the disk.
#include "app/studio/runs_controller.h"
#include "app/studio/source_preparation.h"
#include "core/config/readable.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/launch/resume.h"
#include "widgets/common/line_prompt.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/number_text.h"
#include "widgets/common/told_words.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/live_edit_panel.h"
#include "widgets/panels/runs/plot_bar.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/plot_grid.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>
#include <set>
#include <utility>

namespace roadtune::studio {

using widgets::LinePrompt;
using widgets::NoticeBar;
using widgets::RunsPage;
using widgets::verdictWords;

namespace {

// Wastes the machines while nobody looks, and may pass.
const std::set<std::string> kCostly = {"throttled", "slower", "memory-full", "memory-low"};

// Worth calling somebody who looks elsewhere: what is grave, and what is costly.
bool calls(const runs::Verdict& verdict) {
  return verdict.level == runs::VerdictLevel::Critical ||
         (verdict.level == runs::VerdictLevel::Warning && kCostly.contains(verdict.id));
}

QString whatHappened(const runs::Verdict& verdict) {
  return verdictWords(verdict.title) + QStringLiteral(": ") + verdictWords(verdict.evidence);
}

}  // namespace

QString RunsController::withAdvice(const QString& text, const runs::Verdict& verdict) {
  if (verdict.advice.empty()) return text;
  return text + QLatin1Char('\n') + tr("Try: %1").arg(verdictWords(verdict.advice));
}

void RunsController::connectActions() {
  connect(m_page, &RunsPage::resumeRequested, this, &RunsController::resume);
  connect(m_page, &RunsPage::editRequested, this, &RunsController::changeLive);
  connect(m_page, &RunsPage::branchRequested, this, &RunsController::branchRequested);
  connect(m_page, &RunsPage::weightsRequested, this, &RunsController::weightsRequested);
  connect(m_page, &RunsPage::restartRequested, this, [this](const QString& run) { emit branchRequested(run, {}); });
  connect(m_page, &RunsPage::imagesRequested, this, &RunsController::imagesRequested);
  connect(m_page, &RunsPage::renameRequested, this, &RunsController::askName);
  connect(m_page, &RunsPage::tagRequested, this, &RunsController::askTag);
  connect(m_page, &RunsPage::deleteRequested, this, &RunsController::moveToTrash);
  // With another step on top, undo would take back that one.
  connect(&m_history.steps(), &QUndoStack::indexChanged, this, [this](int step) {
    if (m_page->notice()->text() == m_trashText && !m_trashText.isEmpty()) tellOfTrash(step == m_trashStep);
  });
  connect(m_page->plotBar(), &widgets::PlotBar::exportRequested, this, &RunsController::exportView);
  connect(m_page->plots(), &widgets::PlotGrid::saveRequested, this, &RunsController::savePlot);
  connect(m_page, &RunsPage::stepRequested, this,
          [this](qint64 step) { m_feed.post([feed = m_feed.worker(), step] { feed->describeStep(step); }); });
  connect(m_page, &RunsPage::placeRequested, this,
          [this](double x) { m_feed.post([feed = m_feed.worker(), x] { feed->describePlace(x); }); });
  connect(m_feed.worker(), &RunFeed::stepReady, m_page,
          [this](const widgets::StepFactsPtr& facts) { m_page->setStep(*facts); });
  connect(m_feed.worker(), &RunFeed::exported, this,
          [this](const QString& file, const QString& error) { tellOfExport(file, error); });
  connect(m_feed.worker(), &RunFeed::frameReady, this, &RunsController::watchFor);
}

// Here and not in a child process, so that what SSH asks can be answered in the window.
void RunsController::resume(const QString& folder) {
  if (m_resuming) return;
  const int row = m_page->model()->rowOf(folder);
  const QModelIndex run = m_page->model()->index(row);
  if (row >= 0 && run.data(widgets::RunListModel::StateRole).toInt() == static_cast<int>(runs::RunState::Finished))
    return m_page->notice()->show(
        NoticeBar::Kind::Info,
        tr("%1 is finished: every step is trained. To train longer, branch from its last checkpoint with more steps.")
            .arg(run.data().toString()));
  m_resuming = std::make_unique<StripProgress>(m_strip, tr("Resume"));
  m_page->header()->setResuming(true);
  m_page->notice()->clear();
  m_resume.run(
      this,
      [request = remote::ResumeRequest{.run = folder.toStdString()}, prompts = m_questions->asking(),
       progress = m_resuming.get(), leaves = m_leaves]() -> Result<remote::StartedRun> {
        EndableProgress preparing(progress, leaves);
        ROADTUNE_CHECK(prepareToResume(request.run, preparing));
        return remote::resumeRun(request, prompts, progress);
      },
      [this, folder](const Result<remote::StartedRun>& started) {
        m_resuming.reset();
        m_page->header()->setResuming(false);
        if (!started.ok()) return m_page->notice()->show(started.error());
        tellOfResume(started.value());
        m_mirrors.keep(folder, true);
        lookNow();
      });
}

void RunsController::tellOfResume(const remote::StartedRun& started) {
  const QString from = QString::fromStdString(started.resumedFrom).section(QLatin1Char('/'), -1);
  QStringList parts{tr("The run goes on from %1.").arg(from)};
  if (started.repeatedSteps > 0) parts << tr("%1 steps are done again.").arg(widgets::countText(started.repeatedSteps));
  for (const std::string& note : started.notes) parts << QString::fromStdString(note);
  m_page->notice()->show(NoticeBar::Kind::Good, parts.join(QLatin1Char(' ')));
}

void RunsController::evaluate(const QString& folder) {
  m_background.run(
      this,
      [file = protocol::RunLayout(folder.toStdString()).config()] {
        const auto document = config::Document::load(file);
        const config::RunConfig config = document.ok() ? config::readableConfig(document.value()) : config::RunConfig();
        return config.has("eval_data") || config.number("eval_fraction") > 0;
      },
      [this, folder](bool possible) {
        if (possible)
          return control(folder, {.word = protocol::ControlWord::Evaluate},
                         tr("The run evaluates after the current step."));
        m_page->notice()->show(NoticeBar::Kind::Info, tr("This run has nothing to evaluate on. A run with evaluation "
                                                         "data, or a share held out for it, can be asked."));
      });
}

void RunsController::changeLive(const QString& folder, const protocol::LiveEdit& edit) {
  control(folder, {.word = protocol::ControlWord::Set, .edit = edit}, tr("Changed from the next step on."));
  m_page->liveEdit()->clear();
}

void RunsController::askName(const QString& folder) {
  const widgets::RunListModel* runs = m_page->model();
  const QString now = runs->index(runs->rowOf(folder)).data().toString();
  const auto wrong = [runs, folder](const QString& name) {
    if (name.isEmpty()) return tr("A run needs a name.");
    for (int row = 0; row < runs->rowCount(); ++row)
      if (row != runs->rowOf(folder) && runs->index(row).data().toString() == name)
        return tr("Another run has that name.");
    return QString();
  };
  auto* prompt = m_page->ask(folder, {.name = QStringLiteral("renamePrompt"),
                                      .title = tr("Rename %1").arg(now),
                                      .verb = tr("Rename"),
                                      .text = now,
                                      .wrong = wrong});
  connect(prompt, &LinePrompt::answered, this, [this, folder, now](const QString& name) {
    if (name != now) rename(folder, name);
  });
}

void RunsController::rename(const QString& folder, const QString& name) {
  const auto file = protocol::RunLayout(folder.toStdString()).manifest();
  auto manifest = protocol::readManifest(file);
  if (!manifest.ok()) return m_page->notice()->show(manifest.error());
  manifest.value().name = name.toStdString();
  if (const Status written = protocol::writeManifest(file, manifest.value()); !written.ok())
    return m_page->notice()->show(written.error());
  lookNow();
}

void RunsController::askTag(const QString& folder) {
  if (folder.isEmpty()) return;
  widgets::RunListModel* runs = m_page->model();
  const auto wrong = [runs, folder](const QString& tag) {
    if (tag.isEmpty()) return tr("A tag needs a name.");
    return runs->marks(folder).tags.contains(tag.simplified()) ? tr("The run has that tag.") : QString();
  };
  QStringList known;
  for (const widgets::RunMarks& marks : runs->allMarks()) known << marks.tags;
  known.removeDuplicates();
  auto* prompt = m_page->ask(folder, {.name = QStringLiteral("runTagPrompt"),
                                      .title = tr("Tag %1").arg(runs->index(runs->rowOf(folder)).data().toString()),
                                      .verb = tr("Add tag"),
                                      .known = known,
                                      .wrong = wrong});
  connect(prompt, &LinePrompt::answered, this, [runs, folder](const QString& tag) {
    widgets::RunMarks marks = runs->marks(folder);
    marks.tags << tag.simplified();
    runs->setMarks(folder, marks);
  });
}

void RunsController::moveToTrash(const QString& folder) {
  const int row = m_page->model()->rowOf(folder);
  if (row < 0) return;
  const QModelIndex index = m_page->model()->index(row);
  if (index.data(widgets::RunListModel::StateRole).toInt() == static_cast<int>(runs::RunState::Running)) {
    return m_page->notice()->show(NoticeBar::Kind::Warning, tr("The run is going on. Stop it first."));
  }
  const QString name = index.data().toString();
  if (const Status moved = m_history.moveToTrash(folder, name); !moved.ok())
    return m_page->notice()->show(moved.error());
  m_page->leaveRun(folder);
  m_trashText = tr("%1 is in the trash.").arg(name);
  m_trashStep = m_history.steps().index();
  tellOfTrash(true);
  lookNow();
}

void RunsController::tellOfTrash(bool offers) {
  m_page->notice()->show(NoticeBar::Kind::Info, m_trashText);
  if (offers) m_page->notice()->offer(tr("Undo"), [this] { m_history.steps().undo(); });
}

void RunsController::exportView(const QString& kind) {
  auto* dialog = new QFileDialog(m_page->window(), tr("Export the plots"),
                                 QFileInfo(m_page->selectedRun()).fileName() + QLatin1Char('.') + kind);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("exportDialog"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(kind);
  connect(dialog, &QFileDialog::fileSelected, this, [this, kind](const QString& file) {
    if (kind == QLatin1String("csv")) return m_feed.post([feed = m_feed.worker(), file] { feed->exportCsv(file); });
    const bool written = kind == QLatin1String("svg") ? m_page->plots()->saveSvg(file) : m_page->plots()->savePng(file);
    tellOfExport(file, written ? QString() : tr("%1 cannot be written").arg(file));
  });
  dialog->open();
}

void RunsController::savePlot(const QString& key) {
  auto* dialog = new QFileDialog(m_page->window(), tr("Save the picture of a plot"),
                                 QFileInfo(m_page->selectedRun()).fileName() + QLatin1Char('-') +
                                     QString(key).replace(QLatin1Char('/'), QLatin1Char('-')) + QStringLiteral(".png"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("savePlotDialog"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters({tr("Picture (*.png)"), tr("Drawing (*.svg)")});
  dialog->setDefaultSuffix(QStringLiteral("png"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    dialog->setDefaultSuffix(filter.contains(QLatin1String("svg")) ? QStringLiteral("svg") : QStringLiteral("png"));
  });
  connect(dialog, &QFileDialog::fileSelected, this, [this, key](const QString& file) {
    tellOfExport(file, m_page->plots()->savePlot(key, file) ? QString() : tr("%1 cannot be written").arg(file));
  });
  dialog->open();
}

void RunsController::tellOfExport(const QString& file, const QString& error) {
  if (error.isEmpty())
    m_page->notice()->show(NoticeBar::Kind::Good, tr("Written to %1").arg(file));
  else
    m_page->notice()->show(NoticeBar::Kind::Bad, error, error);
}

// Why the run on show is over, and how it goes on. Told once each time it is shown, so that it can be closed.
void RunsController::tellOfEnd(const widgets::RunFrame& frame) {
  const auto ending = std::ranges::find_if(frame.verdicts, &runs::Verdict::ending);
  if (m_endTold == frame.folder || m_resuming || ending == frame.verdicts.end()) return;
  m_endTold = frame.folder;
  const bool saved = widgets::isResumable(frame);
  QString text = whatHappened(*ending);
  if (ending->id != "lost") text = withAdvice(text, *ending);  // what to do then is the button
  if (!saved) text += QLatin1Char('\n') + tr("No checkpoint was saved: it can only start from the beginning.");
  m_page->notice()->show(NoticeBar::Kind::Bad, text, text);
  const auto newest = std::ranges::find_if(frame.checkpoints.rbegin(), frame.checkpoints.rend(),
                                           [](const auto& one) { return one.onDisk && one.complete; });
  if (frame.end && frame.end->reason == "diverged" && newest != frame.checkpoints.rend()) {
    const QString place = QDir(frame.folder).absoluteFilePath(QString::fromStdString(newest->path));
    m_page->notice()->offer(tr("Branch"),  // as it is, it would diverge again
                            [this, folder = frame.folder, place] { emit branchRequested(folder, place); });
  }
  if (saved)
    m_page->notice()->offer(tr("Resume"), [this, folder = frame.folder] { resume(folder); });
  else
    m_page->notice()->offer(tr("Start again"), [this, folder = frame.folder] { emit branchRequested(folder, {}); });
}

QString RunsController::keyOf(const widgets::RunFrame& frame, const runs::Verdict& verdict) {
  return frame.folder + QLatin1Char('|') + QString::fromStdString(verdict.id);
}

// What has passed is taken back, and told again when it comes again.
void RunsController::tellOfRecovery(const widgets::RunFrame& frame) {
  if (!m_passing.startsWith(frame.folder + QLatin1Char('|'))) return;
  const auto still = [&](const runs::Verdict& verdict) { return keyOf(frame, verdict) == m_passing; };
  if (std::ranges::any_of(frame.verdicts, still)) return;
  if (m_page->notice()->text() == m_toldText) m_page->notice()->clear();
  m_told.remove(std::exchange(m_passing, QString()));
}

void RunsController::tellOf(const runs::Verdict& verdict) {
  const QString text = whatHappened(verdict), told = withAdvice(text, verdict);
  if (m_page->notice()->text() != told) m_page->notice()->show(NoticeBar::Kind::Warning, told, text);
  m_toldText = m_page->notice()->text();
}

// Tells once of each grave thing that happens to a run while it goes on.
void RunsController::watchFor(const widgets::RunFramePtr& frame) {
  if (frame->folder != m_page->selectedRun()) return;
  m_holding = widgets::isPaused(*frame) ? frame->folder : QString();
  tellOfPause();
  if (frame->state == runs::RunState::Failed || frame->state == runs::RunState::Lost) return tellOfEnd(*frame);
  m_endTold.clear();
  if (frame->state != runs::RunState::Running &&
      m_told.removeIf([&frame](const QString& key) { return key.startsWith(frame->folder + QLatin1Char('|')); }) > 0)
    m_page->notice()->clear();  // of how it went
  if (frame->state != runs::RunState::Running) return;
  tellOfRecovery(*frame);
  for (const runs::Verdict& verdict : frame->verdicts) {
    if (!calls(verdict)) continue;
    const QString key = keyOf(*frame, verdict);
    if (m_told.contains(key)) {
      // While it stands there, its numbers are those of the line below the plots.
      if (key == m_toldLast && m_page->notice()->text() == m_toldText) tellOf(verdict);
      continue;
    }
    m_told.insert(key);
    m_toldLast = key;
    tellOf(verdict);
    m_passing = kCostly.contains(verdict.id) ? key : QString();
    QApplication::alert(m_page->window());
    emit alerted(frame->folder, frame->name + QStringLiteral(": ") + verdictWords(verdict.title),
                 verdictWords(verdict.evidence), verdict.level == runs::VerdictLevel::Critical);
    return;
  }
}

}  // namespace roadtune::studio
