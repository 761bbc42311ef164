// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_history.h"

#include "widgets/models/run_list_model.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUndoCommand>

namespace roadtune::studio {
namespace {

Result<QString> trash(const QString& folder) {
  QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));  // the trash lies there
  QString place;
  if (!QFile::moveToTrash(folder, &place))
    return roadtune::failed("the run cannot be moved to the trash", folder.toStdString(),
                            "check that you may change the folder it lies in");
  return place;
}

Status restore(const QString& place, const QString& folder) {
  if (!QDir().rename(place, folder))
    return roadtune::failed("the run cannot be brought back", place.toStdString(), "look for it in the trash");
  const QFileInfo was(place);
  QFile::remove(was.dir().absolutePath() + QStringLiteral("/../info/") + was.fileName() + QStringLiteral(".trashinfo"));
  return {};
}

}  // namespace

class MarkStep : public QUndoCommand {
 public:
  MarkStep(RunHistory& history, QString path, widgets::RunMarks before, widgets::RunMarks after)
      : QUndoCommand(QCoreApplication::translate("RunHistory", "Marks of a run")),
        m_history(history),
        m_path(std::move(path)),
        m_before(std::move(before)),
        m_after(std::move(after)) {}
  void undo() override { m_history.apply(m_path, m_before); }
  void redo() override {
    if (m_done) m_history.apply(m_path, m_after);
    m_done = true;  // it has happened when it is recorded
  }

 private:
  RunHistory& m_history;
  QString m_path;
  widgets::RunMarks m_before, m_after;
  bool m_done = false;
};

class TrashStep : public QUndoCommand {
 public:
  TrashStep(RunHistory& history, QString folder, QString place, const QString& name)
      : QUndoCommand(QCoreApplication::translate("RunHistory", "%1 to the trash").arg(name)),
        m_history(history),
        m_folder(std::move(folder)),
        m_place(std::move(place)) {}
  void undo() override {
    tell(restore(m_place, m_folder));
    m_there = false;
  }
  void redo() override {
    if (m_there) return;  // it has happened when it is recorded
    const Result<QString> place = trash(m_folder);
    if (!place.ok()) return tell(place.error());
    m_place = place.value();
    m_there = true;
    tell({});
  }

 private:
  void tell(const Status& status) {
    emit m_history.runsMoved();
    if (!status.ok()) emit m_history.failed(status.error());
  }
  RunHistory& m_history;
  QString m_folder, m_place;
  bool m_there = true;
};

RunHistory::RunHistory(widgets::RunListModel* model, Settings& settings, QObject* parent)
    : QObject(parent), m_model(model), m_settings(settings) {
  m_model->setAllMarks(settings.runMarks());
  connect(m_model, &widgets::RunListModel::marksChanged, this, &RunHistory::record);
}

// The steps tell of their end when they go, and nobody may listen any more by then.
RunHistory::~RunHistory() { m_steps.disconnect(); }

void RunHistory::record(const QString& path, const widgets::RunMarks& before) {
  m_settings.setRunMarks(m_model->allMarks());
  if (!m_applying) m_steps.push(new MarkStep(*this, path, before, m_model->marks(path)));
}

void RunHistory::apply(const QString& path, const widgets::RunMarks& marks) {
  m_applying = true;
  m_model->setMarks(path, marks);
  m_applying = false;
}

Status RunHistory::moveToTrash(const QString& folder, const QString& name) {
  ROADTUNE_TRY(const QString place, trash(folder));
  m_steps.push(new TrashStep(*this, folder, place, name));
  return {};
}

}  // namespace roadtune::studio
