// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

class QAction;
class QUndoStack;

namespace roadtune::studio {

class DataHistory;
class MainWindow;
class TrainController;

// Undo and redo of the window: on the Data page queries, tags and notes, on the Train page the configuration, on the
// Runs page what was done to runs; nothing on the Fleet page. They can be chosen while there is something to take back
// there. The window's child; histories and controller may go before it.
class UndoCommands : public QObject {
  Q_OBJECT
 public:
  UndoCommands(MainWindow* window, DataHistory* data, QUndoStack* runs, TrainController* train);

 private:
  void refresh();
  void undo();
  void redo();
  MainWindow* m_window;
  DataHistory* m_data;
  QUndoStack* m_runs;
  TrainController* m_train;
  QAction* m_undo;
  QAction* m_redo;
};

}  // namespace roadtune::studio
