// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/run_header.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/roles.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/run_menu.h"
#include "widgets/panels/runs/run_row_delegate.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {

QString phaseWord(const std::string& phase) {
  static const char* const kPhases[] = {
      QT_TRANSLATE_NOOP("Phase", "starting"),   QT_TRANSLATE_NOOP("Phase", "loading"),
      QT_TRANSLATE_NOOP("Phase", "preparing"),  QT_TRANSLATE_NOOP("Phase", "training"),
      QT_TRANSLATE_NOOP("Phase", "evaluating"), QT_TRANSLATE_NOOP("Phase", "saving"),
      QT_TRANSLATE_NOOP("Phase", "finishing"),  QT_TRANSLATE_NOOP("Phase", "paused")};
  for (const char* one : kPhases)
    if (phase == one) return QCoreApplication::translate("Phase", one);
  return QString::fromStdString(phase);
}

// What going on does; of a run that diverged, what it would do once more.
QString RunHeader::resumeTip(const RunFrame& frame) {
  const auto newest = std::ranges::find_if(frame.checkpoints.rbegin(), frame.checkpoints.rend(),
                                           [](const auto& one) { return one.onDisk && one.complete; });
  if (!frame.end || frame.end->reason != "diverged" || newest == frame.checkpoints.rend())
    return tr("Go on from the newest checkpoint, in the same folder");
  return tr("Does the steps after %1 again with the same settings, and would probably diverge again. Branch starts a "
            "new run from there, with a lower learning rate for example.")
      .arg(countText(newest->step));
}

RunHeader::RunHeader(QWidget* parent)
    : QWidget(parent),
      m_name(new ElidedLabel),
      m_phase(new ElidedLabel),
      m_steps(secondaryLabel({})),
      m_bar(new QProgressBar),
      m_save(new QAction(icon(QStringLiteral("save")), tr("Save now"), this)),
      m_evaluate(new QAction(icon(QStringLiteral("target")), tr("Evaluate now"), this)),
      m_pause(new QAction(this)),
      m_stop(new QAction(tr("Save and stop"), this)),
      m_stopNow(new QAction(tr("Stop now, without saving"), this)),
      m_saveButton(iconButton(QStringLiteral("save"), {}, QStringLiteral("saveRun"))),
      m_evaluateButton(iconButton(QStringLiteral("target"), {}, QStringLiteral("evaluateRun"))),
      m_pauseButton(iconButton(QStringLiteral("pause"), {}, QStringLiteral("pauseRun"))),
      m_stopButton(iconButton(QStringLiteral("stop"), {}, QStringLiteral("stopRun"))),
      m_resume(iconButton(QStringLiteral("play"), {}, QStringLiteral("resumeRun"))),
      m_again(iconButton(QStringLiteral("refresh"), tr("Nothing was saved yet: set the same run up once more"),
                         QStringLiteral("restartRun"))),
      m_edit(
          iconButton(QStringLiteral("form"), tr("Change settings while the run goes on"), QStringLiteral("editRun"))),
      m_branch(iconButton(QStringLiteral("branch"), tr("Set up a new run that starts from a checkpoint of this one"),
                          QStringLiteral("branchRun"))),
      m_results(iconButton(QStringLiteral("export"), tr("Report, merge, predict"), QStringLiteral("runResults"))) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_name->setObjectName(QStringLiteral("runName"));
  m_name->setFont(titleFont());
  m_phase->setObjectName(QStringLiteral("runPhase"));
  m_phase->setFont(secondaryFont());
  m_phase->setForegroundRole(kQuietRole);
  m_steps->setObjectName(QStringLiteral("runSteps"));
  m_steps->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_bar->setTextVisible(false);
  m_bar->setFixedHeight(12);
  m_bar->setFixedWidth(200);
  m_bar->setAccessibleName(tr("Progress of the run"));
  m_stop->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F5));
  m_save->setObjectName(QStringLiteral("actionSaveRun"));
  m_evaluate->setObjectName(QStringLiteral("actionEvaluateRun"));
  makePause();
  m_stop->setObjectName(QStringLiteral("actionStopRun"));
  m_stopNow->setObjectName(QStringLiteral("actionStopRunNow"));
  m_saveButton->setDefaultAction(m_save);
  m_saveButton->setToolTip(tr("Write a checkpoint now and go on"));
  m_saveButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_evaluateButton->setDefaultAction(m_evaluate);
  m_evaluateButton->setToolTip(tr("Evaluate and predict now, beside the schedule, and go on"));
  m_evaluateButton->setToolButtonStyle(Qt::ToolButtonIconOnly);
  m_stopButton->setText(tr("Stop"));
  m_stopButton->setToolTip(tr("End the run"));
  m_stopButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  auto* stopMenu = new QMenu(m_stopButton);
  stopMenu->addAction(m_stop);
  stopMenu->addAction(m_stopNow);
  m_stopButton->setMenu(stopMenu);
  auto* more = iconButton(QStringLiteral("folder"), tr("Open the run's folder"), QStringLiteral("openRunFolder"));

  auto* layout = column(this, 2);
  layout->setContentsMargins(36, 10, 12, 8);
  auto* top = row(nullptr, 4);
  top->addWidget(m_name, 1);
  m_resume->setText(tr("Resume"));
  m_again->setText(tr("Start again"));
  m_branch->setText(tr("Branch"));
  m_edit->setText(tr("Change"));
  for (QToolButton* button : {m_resume, m_again, m_branch, m_edit}) {
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->hide();
    top->addWidget(button);
  }
  m_branch->setMenu(new QMenu(m_branch));
  top->addWidget(m_saveButton);
  top->addWidget(m_pauseButton);
  top->addWidget(m_stopButton);
  m_results->setMenu(new QMenu(m_results));
  top->addWidget(m_evaluateButton);
  top->addWidget(m_results);
  top->addWidget(more);
  auto* below = row(nullptr, 12);
  below->addWidget(m_phase, 1);
  below->addWidget(m_steps);
  below->addWidget(m_bar);
  layout->addLayout(top);
  layout->addLayout(below);
  connect(m_save, &QAction::triggered, this, &RunHeader::saveRequested);
  connect(m_evaluate, &QAction::triggered, this, &RunHeader::evaluateRequested);
  connect(m_stop, &QAction::triggered, this, [this] { emit stopRequested(false); });
  connect(m_stopNow, &QAction::triggered, this, [this] { emit stopRequested(true); });
  // Filled when it opens: what there is depends on the run on show.
  connect(m_results->menu(), &QMenu::aboutToShow, this, [this] {
    m_results->menu()->clear();
    addResultActions(*m_results->menu(), m_foreign, [this](RunResult kind) { emit resultRequested(kind); });
  });
  connect(m_edit, &QToolButton::clicked, this, &RunHeader::editRequested);
  connect(m_resume, &QToolButton::clicked, this, &RunHeader::resumeRequested);
  connect(m_again, &QToolButton::clicked, this, &RunHeader::restartRequested);
  connect(more, &QToolButton::clicked, this, &RunHeader::openFolderRequested);
}

void RunHeader::makePause() {
  m_pause->setObjectName(QStringLiteral("actionPauseRun"));
  m_pauseButton->setDefaultAction(m_pause);
  connect(m_pause, &QAction::triggered, this, [this] { emit pauseRequested(!m_paused); });
  showPaused(false);
}

// What a paused run wants next is said in words; to pause is for the few who look for it.
void RunHeader::showPaused(bool paused) {
  m_paused = paused;
  m_pause->setText(paused ? tr("Continue") : tr("Pause"));
  m_pause->setIcon(icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
  m_pause->setToolTip(paused ? tr("Let the run go on from where it holds")
                             : tr("Hold the run at its next step; its processes and memory stay"));
  m_pauseButton->setToolButtonStyle(paused ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

QStringList RunHeader::phaseParts(const RunFrame& frame) const {
  QStringList parts;
  const bool running = frame.state == runs::RunState::Running;
  if (frame.reading) {
    parts << tr("reading what it wrote");
  } else if (running && !frame.phases.empty() && !frame.phases.back().end) {
    parts << phaseWord(frame.phases.back().name);
  } else {
    parts << stateWord(frame.state);
  }
  if (running && !isPaused(frame) && frame.progress.etaSeconds) {
    parts << tr("%1 left").arg(numberText(formatDuration(*frame.progress.etaSeconds)));
  }
  if (frame.progress.elapsedSeconds >= 1) {
    parts << tr("%1 so far").arg(numberText(formatDuration(frame.progress.elapsedSeconds)));
    if (!running) parts.back() = numberText(formatDuration(frame.progress.elapsedSeconds));
  }
  if (frame.start) {
    parts << QString::fromStdString(frame.start->host);
    if (frame.start->totalParams > 0) {
      parts << tr("%1 of %2 parameters trained")
                   .arg(countText(frame.start->trainableParams), countText(frame.start->totalParams));
    }
  }
  return parts;
}

void RunHeader::setNotice(const QString& text) {
  if (text == m_told) return;
  m_told = text;
  refreshPhase();
}

void RunHeader::setUnreached(const QStringList& machines) {
  if (machines == m_unreached) return;
  m_unreached = machines;
  refreshPhase();
}

// What is known of a run that cannot be asked is as old as its last news, and that is said beside its state.
void RunHeader::refreshPhase() {
  QStringList parts = m_parts;
  if (m_asOf && !parts.isEmpty()) {
    QString known = asOfWords(*m_asOf);
    if (!m_unreached.isEmpty()) known = tr("%1, %2 not reached").arg(known, m_unreached.join(QStringLiteral(", ")));
    parts.insert(1, known);
  }
  if (!m_reason.isEmpty() && !isReasonTold()) parts << m_reason;
  if (m_shown) m_again->setVisible(m_lost && !isReasonTold());  // the bar offers it, too
  m_phase->setText(parts.join(QStringLiteral("  ·  ")));
}

void RunHeader::setFrame(const RunFrame& frame) {
  m_state = static_cast<int>(frame.reading ? runs::RunState::Created : frame.state);
  m_name->setText(lineText(frame.name));
  m_parts = phaseParts(frame);
  m_asOf = frame.asOf;
  const bool over = frame.end && frame.state != runs::RunState::Running;
  m_reason = over ? verdictWords(frame.end->message) : QString();
  m_warn = std::ranges::any_of(frame.verdicts, [](const auto& one) { return one.id == "loss-higher"; });
  const auto& progress = frame.progress;
  const bool known = progress.totalSteps > 0;
  m_bar->setVisible(known);
  m_bar->setRange(0, 1000);
  m_bar->setValue(
      known ? static_cast<int>(1000.0 * static_cast<double>(progress.step) / static_cast<double>(progress.totalSteps))
            : 0);
  const QString step = countText(progress.step);
  m_steps->setText(known ? tr("step %1 / %2").arg(step, countText(progress.totalSteps)) : tr("step %1").arg(step));
  const bool running = frame.state == runs::RunState::Running && !frame.foreign;
  m_shown = true;
  m_running = running;
  refreshEnabled();
  m_foreign = frame.foreign;
  if (isPaused(frame) != m_paused) showPaused(!m_paused);
  m_edit->setVisible(running);
  m_saveButton->setVisible(running);
  m_pauseButton->setVisible(running);
  m_evaluateButton->setVisible(running);
  m_stopButton->setVisible(running);
  refreshCheckpoints(frame);
  const bool saved = isResumable(frame);
  const bool broken = !frame.foreign && !frame.reading && runs::isBroken(frame.state);
  m_resume->setVisible(broken && saved);
  m_resume->setToolTip(resumeTip(frame));
  m_lost = broken && !saved;
  refreshPhase();
  m_branch->setVisible(!frame.foreign && !m_checkpoints.isEmpty());
  update();
}

// The buttons stay where they are, so that going through the list does not make them jump.
void RunHeader::expect(const QString& name) {
  m_shown = m_running = false;
  showPaused(false);
  m_state = static_cast<int>(runs::RunState::Created);
  m_name->setText(lineText(name));
  m_parts.clear();
  m_reason.clear();
  m_warn = false;
  m_asOf.reset();
  refreshPhase();
  m_steps->clear();
  m_bar->hide();
  refreshEnabled();
  update();
}

void RunHeader::setResuming(bool resuming) {
  m_resuming = resuming;
  refreshEnabled();
}

void RunHeader::refreshEnabled() {
  for (QAction* action : {m_save, m_evaluate, m_pause, m_stop, m_stopNow}) action->setEnabled(m_running);
  for (QToolButton* button : {m_again, m_branch, m_edit, m_results, m_stopButton}) button->setEnabled(m_shown);
  m_resume->setEnabled(m_shown && !m_resuming);
}

void RunHeader::refreshCheckpoints(const RunFrame& frame) {
  QStringList places;
  for (const runs::CheckpointInfo& one : frame.checkpoints) {
    if (one.onDisk && one.complete) places.prepend(QString::fromStdString(one.path));
  }
  if (places == m_checkpoints && frame.folder == m_folder) return;
  m_checkpoints = places;
  m_folder = frame.folder;
  m_branch->menu()->clear();
  for (const QString& place : places) {
    const QString path = QDir(frame.folder).absoluteFilePath(place);
    m_branch->menu()->addAction(tr("From %1").arg(place), this, [this, path] { emit branchRequested(path); });
  }
  if (places.isEmpty()) return;
  m_branch->menu()->addSeparator();
  QMenu* weights = m_branch->menu()->addMenu(tr("From step 0, with the weights of"));
  weights->setObjectName(QStringLiteral("branchWeights"));
  for (const QString& place : places) {
    const QString path = QDir(frame.folder).absoluteFilePath(place);
    weights->addAction(place, this, [this, path] { emit weightsRequested(path); });
  }
}

std::optional<std::pair<qint64, QString>> RunHeader::checkpointBefore(qint64 step) const {
  for (const QString& place : m_checkpoints) {  // the newest first
    bool known = false;
    const qint64 number = place.section(QLatin1Char('-'), -1).toLongLong(&known);
    if (known && number <= step) return std::pair(number, QDir(m_folder).absoluteFilePath(place));
  }
  return std::nullopt;
}

void RunHeader::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintStateMark(painter, QRectF(13, m_name->y() + m_name->height() / 2.0 - 7, 14, 14), m_state, m_paused, m_warn);
  painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::tokens().line);
}

}  // namespace roadtune::widgets
