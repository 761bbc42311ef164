// SPDX-License-Identifier: GPL-3.0-or-later
// Files of configurations, and what is edited but not in them yet: the part of TrainController that opens and saves.
#include "app/studio/train_controller.h"
#include "core/base/hash.h"
#include "core/config/presets.h"
#include "remote/launch/run_folder.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/train/train_page.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace roadtune::studio {

using widgets::NoticeBar;

namespace {
constexpr int kDraftMs = 400;

// Where model and data lie only the user knows; a run goes to where his runs are looked for.
config::Value firstFreeRun(const QString& runs) {
  const std::filesystem::path first = QDir(runs).filePath(QStringLiteral("first")).toStdString();
  std::error_code ignored;
  const bool taken = std::filesystem::exists(first, ignored);
  return config::Value((taken ? remote::nextFreeFolder(first) : first).string());
}

QString newFile() { return QDir(Settings::defaultFolder()).filePath(QStringLiteral("run.yaml")); }

config::Document newDocument(const QString& file, const QString& runs) {
  config::Document document(config::starterYaml(false, {"model_name_or_path", "train_data"}), file.toStdString());
  (void)document.set("output_dir", firstFreeRun(runs));
  return document;
}

}  // namespace

void TrainController::connectFile() {
  m_drafting.setSingleShot(true);
  m_drafting.setInterval(kDraftMs);
  connect(&m_drafting, &QTimer::timeout, this, &TrainController::keepDraft);
  connect(&m_document, &RunDocument::changed, this, [this] {
    m_toldOfLoss = false;
    if (!m_drafting.isActive()) m_drafting.start();
  });
  connect(&m_drafts, &DraftStore::failed, this, [this](const Error& error) {
    m_page->notice()->show(NoticeBar::Kind::Warning,
                           tr("What is edited here is not kept until it is saved: %1").arg(widgets::errorText(error)));
  });
  connect(&m_file, &ConfigFile::changed, this, &TrainController::meetChange);
}

// A new configuration, with a folder of its own.
void TrainController::startAnew() {
  m_calm = true;
  m_draftIsOurs = false;
  m_document.load(newDocument(newFile(), m_settings.newRunsFolder()), tr("New run"));
  m_file.follow(newFile(), {});
}

void TrainController::proposeData(const QString& folder) { propose("train_data", config::Value(folder.toStdString())); }

void TrainController::proposeRuns(const QString& runs) { propose("output_dir", firstFreeRun(runs)); }

// Only where nobody wrote anything yet.
void TrainController::propose(const char* name, const config::Value& value) {
  if (m_file.known() || m_document.unsaved() || m_document.history().count() > 0) return;
  config::Document next = m_document.document();
  if (next.set(name, value).ok()) m_document.load(next, m_document.name());
}

QString TrainController::path() const {
  return QFileInfo(QString::fromStdString(m_document.document().path().string())).absoluteFilePath();
}

void TrainController::keepDraft() {
  m_drafting.stop();
  takeTyped();
  m_drafting.stop();  // what was typed is an edit, too
  // What an earlier session or another window has kept of a document that is untouched here is not ours to remove.
  if (!m_document.unsaved()) {
    if (m_draftIsOurs) m_drafts.remove(path());
    return;
  }
  m_draftIsOurs = true;
  m_drafts.put(path(), {m_document.name(), m_document.document().text(), m_file.held(), m_made});
  m_settings.setLastConfig(path());
}

// Edits that could not be kept are told once before the window closes; asked again, it closes all the same.
bool TrainController::mayClose() {
  takeFields();
  keepDraft();
  if (!m_document.unsaved() || std::exchange(m_toldOfLoss, false)) return true;
  const Status written = m_drafts.lastWrite();
  if (written.ok()) return true;
  m_toldOfLoss = true;
  m_page->notice()->show(NoticeBar::Kind::Bad,
                         tr("What was edited here would be lost, because it could not be kept: %1. Save it to another "
                            "folder, or close the window again to give it up.")
                             .arg(widgets::errorText(written.error())));
  emit blockedShown();
  return false;
}

// Another document comes; what was edited of this one is kept, and that is said.
void TrainController::show(const config::Document& document, const QString& name, bool calm) {
  takeFields();
  keepDraft();
  m_calm = calm;
  m_page->notice()->clear();
  m_leftPath = m_drafts.find(path()) ? path() : QString();
  m_leftName = m_document.name();
  m_draftIsOurs = false;
  m_made.clear();
  m_document.load(document, name);
  if (m_leftPath == path()) m_leftPath.clear();
  if (!m_leftPath.isEmpty()) tell({});
}

// About the document that has just come, with the way back to edits that are not saved.
void TrainController::tell(const QString& text) {
  QStringList lines{text};
  if (!m_leftPath.isEmpty()) lines << tr("The edits of %1 are not saved, but kept.").arg(m_leftName);
  lines.removeAll(QString());
  m_page->notice()->show(NoticeBar::Kind::Info, lines.join(QLatin1Char('\n')));
  if (!m_leftPath.isEmpty())
    m_page->notice()->offer(tr("Back to %1").arg(m_leftName), [this, left = m_leftPath] { openFile(left); });
}

bool TrainController::canOpen(const QString& file) const {
  const QFileInfo info(file);
  return !file.isEmpty() && (info.isFile() || m_drafts.find(info.absoluteFilePath()));
}

// At the start; what was never saved comes back also where the file of last time is gone.
void TrainController::openLast(const QString& file) {
  for (const QString& one : {file, newFile()})
    if (canOpen(one)) return openFile(one);
}

void TrainController::openFile(const QString& file) {
  const QFileInfo info(file);
  takeFields();
  keepDraft();
  const auto draft = m_drafts.find(info.absoluteFilePath());
  const auto document = config::Document::load(file.toStdString());
  if (!document.ok() && (!draft || info.exists())) return m_page->notice()->show(document.error());
  if (document.ok()) {
    show(document.value(), info.fileName());
    m_file.follow(path(), sha256Hex(document.value().text()));
  } else {  // it was never saved. The new run was named in the language of that time.
    const QString never = info.absoluteFilePath();  // two files that are not there have the same canonical path: none
    const bool first = never == QFileInfo(newFile()).absoluteFilePath();
    const bool anew = draft->made.empty();
    show(anew ? newDocument(never, m_settings.newRunsFolder()) : config::Document(draft->made, never.toStdString()),
         first ? tr("New run") : draft->name, anew);
    m_made = draft->made;
    if (!anew) m_document.history().resetClean();  // no file holds what was made, either
    m_file.follow(path(), {});
  }
  m_settings.setLastConfig(path());
  if (draft) restore(*draft, file);
}

// The edits are one step of history over what the file holds now. Saving compares with what it held then.
void TrainController::restore(const Draft& draft, const QString& file) {
  m_draftIsOurs = true;
  const bool edited = draft.text != m_document.document().text();
  if (!edited && draft.made.empty()) return m_drafts.remove(path());
  const bool changed = m_file.known() && !draft.base.empty() && draft.base != m_file.held();
  if (edited) m_document.replaceText(QString::fromStdString(draft.text), tr("edits that were not saved"));
  if (changed) m_file.follow(path(), draft.base);
  QString text = tr("Edits that were not saved are back.");
  if (changed) text += QLatin1Char(' ') + tr("%1 was changed elsewhere since.").arg(QFileInfo(file).fileName());
  tell(text);
  if (edited) m_page->notice()->offer(tr("Discard the edits"), [this] { discardEdits(); });
}

void TrainController::discardEdits() {
  if (m_file.known())
    takeTheirs();
  else
    m_document.history().setIndex(std::max(0, m_document.history().cleanIndex()));
}

// What the file holds now; what was here stays one step back.
bool TrainController::takeTheirs() {
  m_typing.stop();
  const auto document = config::Document::load(m_document.document().path());
  if (!document.ok()) {
    m_page->notice()->show(document.error());
    return false;
  }
  m_document.takeSaved(document.value().text(), tr("loading it again"));
  m_file.follow(path(), sha256Hex(document.value().text()));
  keepDraft();
  return true;
}

void TrainController::meetChange() {
  takeTyped();
  const QString name = m_document.name();
  if (!m_document.unsaved()) {
    if (!takeTheirs()) return;
    return m_page->notice()->show(NoticeBar::Kind::Info, tr("%1 was changed elsewhere and is loaded again.").arg(name));
  }
  m_page->notice()->show(NoticeBar::Kind::Warning, tr("%1 was changed elsewhere while it is edited here.").arg(name));
  m_page->notice()->offer(tr("Reload"), [this] { takeTheirs(); });
}

void TrainController::chooseFile() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Open a configuration"), {}, tr("Configurations (*.yaml *.yml)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &TrainController::openFile);
  dialog->open();
}

void TrainController::save() {
  takeFields();
  if (!m_file.known() || !m_file.exists()) return saveUnderNewName();
  if (!m_file.changedElsewhere()) return store();
  m_page->notice()->show(
      NoticeBar::Kind::Warning,
      tr("%1 was changed elsewhere since it was opened. Nothing is saved yet.").arg(m_document.name()));
  m_page->notice()->offer(tr("Reload"), [this] { takeTheirs(); });
  m_page->notice()->offer(tr("Keep mine"), [this] { store(); });
}

void TrainController::store() {
  const Status saved = m_document.save();
  if (!saved.ok()) return report(saved);
  m_file.follow(path(), sha256Hex(m_document.document().text()));
  m_page->notice()->clear();
  keepDraft();
}

void TrainController::saveUnderNewName() {
  auto* dialog = new QFileDialog(m_page->window(), tr("Save the configuration"),
                                 QString::fromStdString(m_document.document().path().string()),
                                 tr("Configurations (*.yaml *.yml)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("yaml"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    const QString former = path();
    const Status saved = m_document.saveAs(file);
    if (!saved.ok()) return report(saved);
    if (m_draftIsOurs) m_drafts.remove(former);
    m_made.clear();
    m_settings.setLastConfig(file);
    m_file.follow(path(), sha256Hex(m_document.document().text()));
    m_page->notice()->clear();
    keepDraft();
  });
  dialog->open();
}

}  // namespace roadtune::studio
