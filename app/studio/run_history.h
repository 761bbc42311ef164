// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/settings.h"
#include "core/base/result.h"

#include <QObject>
#include <QUndoStack>

namespace roadtune::widgets {
class RunListModel;
}

namespace roadtune::studio {

// What was done to runs in the list, step by step, so that it can be taken back: pins, colours, tags, and what went to
// the trash. Keeps the marks in the settings.
class RunHistory : public QObject {
  Q_OBJECT
 public:
  RunHistory(widgets::RunListModel* model, Settings& settings, QObject* parent = nullptr);
  ~RunHistory() override;
  Status moveToTrash(const QString& folder, const QString& name);
  QUndoStack& steps() { return m_steps; }  // to take back, and for what else is done on the page
  QString undoText() const { return m_steps.undoText(); }

 signals:
  void runsMoved();  // look again
  void failed(const roadtune::Error& error);

 private:
  friend class MarkStep;
  friend class TrashStep;
  void record(const QString& path, const widgets::RunMarks& before);
  void apply(const QString& path, const widgets::RunMarks& marks);
  widgets::RunListModel* m_model;
  Settings& m_settings;
  QUndoStack m_steps;
  bool m_applying = false;
};

}  // namespace roadtune::studio
