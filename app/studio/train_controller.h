// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "app/studio/run_document.h"
#include "app/studio/settings.h"
#include "remote/launch/launch.h"

#include <QObject>
#include <QTimer>

namespace roadtune::widgets {
class TrainPage;
}

namespace roadtune::studio {

// Edits a configuration with the Train page and starts runs from it.
class TrainController : public QObject {
  Q_OBJECT
 public:
  TrainController(widgets::TrainPage* page, Settings& settings, QObject* parent = nullptr);

  void openFile(const QString& file);
  void usePreset(const QString& name);
  void save();
  void startRun();
  void undo() { m_document.history().undo(); }
  void redo() { m_document.history().redo(); }
  RunDocument& document() { return m_document; }
  bool canStart() const { return m_blocked.isEmpty() && !m_starting; }

 signals:
  void runStarted(const QString& folder);
  void startableChanged(bool startable);

 private:
  void connectPage();
  void refresh();
  void askEstimate();
  void refreshBlocked();
  void report(const Status& status);
  void chooseFile();
  void saveUnderNewName();

  widgets::TrainPage* m_page;
  Settings& m_settings;
  RunDocument m_document;
  Background m_background{"estimate"};
  QTimer m_typing;      // typed YAML is read when the typing pauses
  QString m_typed;
  std::uint64_t m_ticket = 0;
  std::vector<config::Problem> m_pathProblems;
  QString m_blocked;
  bool m_starting = false;
};

}  // namespace roadtune::studio
