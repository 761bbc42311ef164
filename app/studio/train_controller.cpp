// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/train_controller.h"

#include "app/studio/estimate_work.h"
#include "app/studio/fleet_controller.h"
#include "app/studio/source_preparation.h"
#include "app/studio/train_sync.h"
#include "core/base/clock.h"
#include "core/config/importing.h"
#include "core/config/presets.h"
#include "core/config/readable.h"
#include "remote/launch/host_launch.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/told_words.h"
#include "widgets/forms/field_text.h"
#include "widgets/forms/schema_form.h"
#include "widgets/forms/yaml_edit.h"
#include "widgets/frame/status_strip.h"
#include "widgets/models/module_tree_model.h"
#include "widgets/panels/train/compare_panel.h"
#include "widgets/panels/train/cost_panel.h"
#include "widgets/panels/train/dry_run_panel.h"
#include "widgets/panels/train/module_panel.h"
#include "widgets/panels/train/train_page.h"
#include "widgets/panels/train/variant_panel.h"
#include "widgets/panels/train/where_panel.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace roadtune::studio {

using widgets::NoticeBar;

namespace {
constexpr int kTypingMs = 250;
constexpr const char* kFolder = "output_dir";

bool isError(const config::Problem& problem) { return problem.severity == config::Severity::Error; }
bool isOfText(const config::Problem& problem) { return isError(problem) && problem.key.empty() && problem.line > 0; }

// "Learning rate: must be positive"; what is about no setting has no name before it.
QString withTitle(const config::Problem& problem) {
  const config::Field* field = config::findField(problem.key);
  const QString words = widgets::problemWords(problem.message);
  return field ? widgets::fieldTitle(*field) + QStringLiteral(": ") + words : words;
}

QString stillToChoose(const QStringList& titles) {
  return TrainController::tr("Still to choose: %1").arg(titles.join(QStringLiteral(", ")));
}
}  // namespace

TrainController::TrainController(const Parts& parts, Settings& settings, QObject* parent)
    : QObject(parent),
      m_page(parts.page),
      m_strip(parts.strip),
      m_fleet(parts.fleet),
      m_questions(parts.questions),
      m_settings(settings),
      m_drafts(QDir(Settings::defaultFolder()).filePath(QStringLiteral("drafts"))) {
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(&m_typing, &QTimer::timeout, this, [this] {
    m_document.setText(m_typed);
    emit undoableChanged();
  });
  connect(&m_document, &RunDocument::changed, this, &TrainController::refresh);
  connect(&m_document, &RunDocument::changed, m_page->cost()->dryRun(), &widgets::DryRunPanel::setOutdated);
  connect(&m_document, &RunDocument::changed, this, &TrainController::undoableChanged);
  connect(&m_document.history(), &QUndoStack::indexChanged, this, &TrainController::undoableChanged);
  connect(this, &TrainController::undoableChanged, m_page, [this] { m_page->setUndoable(canUndo(), canRedo()); });
  connectPage();
  connectWhere();
  connectFile();
  startAnew();
  emit undoableChanged();
}

void TrainController::connectPage() {
  using widgets::TrainPage;
  connect(m_page, &TrainPage::fieldEdited, this,
          [this](const QString& name, const config::Value& value) { report(m_document.set(name, value)); });
  connect(m_page, &TrainPage::fieldReset, this, [this](const QString& name) { report(m_document.reset(name)); });
  connect(m_page, &TrainPage::yamlEdited, this, [this](const QString& text) {
    m_typed = text;
    m_typing.start();
    emit undoableChanged();
  });
  connect(m_page, &TrainPage::presetRequested, this, &TrainController::usePreset);
  connect(m_page, &TrainPage::openRequested, this, &TrainController::chooseFile);
  connect(m_page, &TrainPage::importRequested, this, &TrainController::chooseImport);
  connect(m_page, &TrainPage::saveRequested, this, &TrainController::save);
  connect(m_page, &TrainPage::undoRequested, this, &TrainController::undo);
  connect(m_page, &TrainPage::redoRequested, this, &TrainController::redo);
  const widgets::ModulePanel* modules = m_page->modules();
  connect(modules, &widgets::ModulePanel::paintRequested, this,
          [this, modules](const QStringList& paths, const widgets::ModulePaint& paint) {
            report(m_document.paint(paths, paint, modules->model()->tree().get()));
          });
  connect(modules, &widgets::ModulePanel::freezeRequested, this,
          [this](const QString& field, bool frozen) { report(m_document.set(field, config::Value(frozen))); });
  connect(modules, &widgets::ModulePanel::languageOnlyRequested, this,
          [this] { report(m_document.set(QStringLiteral("exclude_modules"), config::Value(".*vision_tower.*"))); });
  connect(m_page->cost(), &widgets::CostPanel::startRequested, this, &TrainController::startRun);
  connect(m_page->cost(), &widgets::CostPanel::dryRunRequested, this, &TrainController::dryRun);
  connect(m_page->cost()->dryRun(), &widgets::DryRunPanel::cancelRequested, this, [this] { *m_endDryRun = true; });
  connect(m_page->cost(), &widgets::CostPanel::queueRequested, this, &TrainController::queueRun);
  connect(m_page->cost()->variants(), &widgets::VariantPanel::queueRequested, this, &TrainController::queueVariants);
  connect(m_page->cost(), &widgets::CostPanel::wayOutRequested, this, &TrainController::useFreeFolder);
  connect(m_page->form(), &widgets::SchemaForm::fixRequested, this, &TrainController::useFreeFolder);
  connect(m_page->cost(), &widgets::CostPanel::fitRequested, this,
          [this](const std::vector<std::pair<QString, config::Value>>& values) {
            report(m_document.setAll(values, tr("making it fit")));
          });
  connect(m_page->compare(), &widgets::ComparePanel::runChosen, this, &TrainController::refreshComparison);
}

void TrainController::report(const Status& status) {
  if (!status.ok()) m_page->notice()->show(status.error());
}

// Another trainer's file takes the place of the settings; what it does not name of where things lie stays the user's.
void TrainController::importFile(const QString& file) {
  const auto imported = config::importConfig(file.toStdString());
  if (!imported.ok()) return m_page->notice()->show(imported.error());
  config::Document next(imported.value().yaml, m_document.document().path());
  keepPlacesNotIn(next);
  m_document.replaceText(QString::fromStdString(next.text()), QFileInfo(file).fileName());
  const QString format = QString::fromStdString(imported.value().format);
  const auto& notes = imported.value().notes;
  if (notes.empty())
    return m_page->notice()->show(NoticeBar::Kind::Good,
                                  tr("%1, a file of %2, is taken over.").arg(QFileInfo(file).fileName(), format));
  QStringList lines;
  for (const config::Problem& note : notes)
    lines << QStringLiteral("%1: %2: %3")
                 .arg(QFileInfo(file).fileName() + (note.line ? QStringLiteral(":%1").arg(note.line) : QString()),
                      QString::fromStdString(note.key), widgets::problemText(note));
  const QString told = notes.size() == 1
                           ? tr("%1, a file of %2, is taken over but for one setting; the text ends with it.")
                           : tr("%1, a file of %2, is taken over but for %n settings; the text ends with them.",
                                nullptr, static_cast<int>(notes.size()));
  m_page->notice()->show(NoticeBar::Kind::Info, told.arg(QFileInfo(file).fileName(), format),
                         lines.join(QLatin1Char('\n')));
}

void TrainController::chooseImport() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Take over a file of another trainer"), {},
                                 tr("Configurations and programs (*.yaml *.yml *.json *.ipynb *.py *.sh)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("importConfigDialog"));
  connect(dialog, &QFileDialog::fileSelected, this, &TrainController::importFile);
  dialog->open();
}

void TrainController::refresh() {
  m_page->setDocument(m_document.name(), QString::fromStdString(m_document.document().text()), m_document.unsaved());
  m_page->setConfig(m_document.config());
  m_page->form()->setUnread(config::unreadWords(m_document.document(), m_document.config()));
  m_page->setProblems(shownProblems(m_document.problems()));
  m_page->setReadable(m_document.readable(), m_document.problems().empty() ? 1 : m_document.problems()[0].line);
  dropOldPaths();
  refreshBlocked();
  refreshFitness();
  refreshComparison();
  askEstimate();
  askMissing();
}

void TrainController::askEstimate() {
  const auto ticket = ++m_ticket;
  std::vector<MachineMeans> machines;
  for (const QString& host : hosts()) machines.push_back(m_fleet->means(host));
  m_background.run(
      this,
      [config = m_document.config(), ticket, machines, counts = m_counts] {
        return estimateOf(config, ticket, machines, *counts);
      },
      [this, config = m_document.config(), file = path()](const widgets::TrainEstimate& estimate) {
        if (estimate.ticket != m_ticket) return;
        m_page->setEstimate(estimate);
        refreshPace();
        m_pathProblems = estimate.pathProblems;
        m_pathsOf = config;
        m_pathsFile = file;
        offerFolder(estimate.freeFolder);
        m_page->setProblems(shownProblems(allProblems()));
        refreshBlocked();
      });
}

std::vector<config::Problem> TrainController::allProblems() const {
  std::vector<config::Problem> all = m_document.problems();
  all.insert(all.end(), m_pathProblems.begin(), m_pathProblems.end());
  return all;
}

bool TrainController::isToChoose(const config::Problem& problem) const {
  return m_calm && isError(problem) && config::findField(problem.key) && !m_document.document().contains(problem.key);
}

std::vector<config::Problem> TrainController::shownProblems(std::vector<config::Problem> all) const {
  std::erase_if(all, [this](const config::Problem& problem) { return isToChoose(problem); });
  for (config::Problem& one : all)
    if (hasWayOut(one)) one.severity = config::Severity::Warning;
  return all;
}

// What a new configuration still lacks is a mistake only when its run is asked for: then it is shown.
bool TrainController::askToChoose() {
  const auto& all = m_document.problems();
  const auto first = std::ranges::find_if(all, [this](const auto& one) { return isToChoose(one); });
  if (first == all.end()) return false;
  const QString key = QString::fromStdString(config::findField(first->key)->name);
  m_calm = false;
  refresh();
  m_page->showYaml(false);
  m_page->form()->goTo(key);
  return true;
}

// A folder that is taken is no mistake where a start takes the next free name.
bool TrainController::hasWayOut(const config::Problem& problem) const {
  const auto* folder = config::findField(kFolder);
  return !m_wayOut.isEmpty() && folder && config::findField(problem.key) == folder;
}

std::vector<config::Problem> TrainController::inTheWay() const {
  std::vector<config::Problem> all = shownProblems(allProblems());
  std::erase_if(all, [](const auto& one) { return !isError(one); });
  return all;
}

void TrainController::refreshBlocked() {
  const std::vector<config::Problem> all = inTheWay();
  QStringList lacking;
  for (const config::Problem& problem : m_document.problems())
    if (isToChoose(problem)) lacking << widgets::fieldTitle(*config::findField(problem.key));
  const auto errors = static_cast<qsizetype>(all.size());
  const auto unread = std::ranges::find_if(all, isOfText);
  m_takesFree = errors == 0 && !m_wayOut.isEmpty();
  QStringList missing;
  for (const config::Problem& problem : all)
    if (widgets::isMissing(problem)) missing << widgets::fieldTitle(*config::findField(problem.key));
  const bool onlyMissing = !missing.isEmpty() && missing.size() == errors;
  m_blocked = onlyMissing           ? stillToChoose(missing)
              : unread != all.end() ? tr("The text cannot be read at line %1, column %2: %3")
                                          .arg(unread->line)
                                          .arg(unread->column)
                                          .arg(widgets::problemWords(unread->message))
              : errors == 0 ? QString()
              : errors == 1 ? tr("One setting stands in the way: %1").arg(withTitle(all[0]))
                            : tr("%1 settings stand in the way. The first is %2").arg(errors).arg(withTitle(all[0]));
  if (m_blocked.isEmpty() && m_page->where()->undecided()) m_blocked = tr("Choose at least one machine.");
  m_page->cost()->setBlocked(m_blocked);
  m_page->cost()->setToChoose(lacking.isEmpty() ? QString() : stillToChoose(lacking));
  m_page->cost()->setWayOut(m_takesFree ? m_wayOut : QString(),
                            m_takesFree ? tr("The folder holds a run already, so this one will start in “%1”.")
                                              .arg(QFileInfo(m_freeFolder).fileName())
                                        : QString());
}

bool TrainController::canStart() const {
  return m_blocked.isEmpty() && !m_starting && !m_page->cost()->dryRun()->running();
}

void TrainController::takeTyped() {
  if (!m_typing.isActive()) return;
  m_typing.stop();
  m_document.setText(m_typed);
}

// A field takes what is typed when the cursor leaves it; what is done by a key or by a button without focus comes
// before that.
void TrainController::takeFields() {
  takeTyped();
  m_page->form()->commit();
  m_page->where()->commit();
}

// What was typed a moment ago is the first to be taken back.
void TrainController::undo() {
  takeTyped();
  m_document.history().undo();
}

void TrainController::redo() {
  takeTyped();
  m_document.history().redo();
}

void TrainController::showObstacle() {
  m_strip->setMessage(m_blocked);
  emit blockedShown();
  if (const auto wrong = inTheWay(); !wrong.empty()) return m_page->goTo(wrong[0]);
  m_page->cost()->showWhere();
  m_page->where()->focusChoice();
}

// A start that is asked for in vain leads to what stands in its way.
bool TrainController::prepareStart() {
  takeFields();
  if (!m_blocked.isEmpty()) showObstacle();
  if (!canStart() || askToChoose()) return false;
  takeFreeFolder();
  return true;
}

// On this machine a start is over in no time, unless its data has to be brought or imported first.
StripProgress* TrainController::showProgress(const QString& title) {
  m_progress = std::make_unique<StripProgress>(
      m_strip, title, nullptr,
      hosts().isEmpty() ? StripProgress::Shown::WithFirstReport : StripProgress::Shown::AtOnce);
  return m_progress.get();
}

void TrainController::tellOfStart(const Error& error) {
  NoticeBar* notice = m_page->notice();
  if (error.kind == ErrorKind::Cancelled && hosts().isEmpty())
    return notice->show(NoticeBar::Kind::Info,
                        tr("Cancelled. What was imported so far is kept; the next start goes on from there."));
  notice->show(error);
  if (asksForLicence(error))
    notice->offer(tr("Import it"),
                  [this, source = QString::fromStdString(error.where)] { emit importWanted({source}); });
}

void TrainController::startRun() {
  if (!prepareStart()) return;
  m_starting = true;
  m_page->cost()->setStarting(true);
  m_page->notice()->clear();
  remote::LaunchRequest request;
  request.document = m_document.document();
  request.commandLine = {"roadtune", "train", m_document.document().path().string()};
  StripProgress* shown = showProgress(tr("Launch"));
  m_launch.run(
      this,
      [request, prompts = m_questions->asking(), progress = shown, leaves = m_leaves,
       copies = m_page->where()->copies()]() -> Result<remote::StartedRun> {
        ROADTUNE_TRY(const remote::LaunchPlan plan, remote::planLaunch(request));
        EndableProgress preparing(progress, leaves);
        ROADTUNE_CHECK(prepareSources(plan.config, plan.folder, !plan.hosts.empty(), preparing));
        if (copies && !plan.hosts.empty()) ROADTUNE_CHECK(copyMissing(plan, prompts, progress));
        return remote::launchAnywhere(plan, prompts, progress);
      },
      [this](const Result<remote::StartedRun>& started) {
        m_starting = false;
        m_progress.reset();
        m_page->cost()->setStarting(false);
        askEstimate();           // its folder is taken now
        m_missingAsked.clear();  // a copy may have changed it
        askMissing();
        if (!started.ok()) return tellOfStart(started.error());
        emit runStarted(QString::fromStdString(started.value().folder.string()));
      });
}

}  // namespace roadtune::studio
