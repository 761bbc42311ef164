// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

class QAction;
class QUndoStack;

namespace roadtune::studio {

class MainWindow;
class TrainController;

// Undo and redo of the window: on the Data page in the query, on the Runs page what was done to runs, elsewhere in the
// configuration. They can be chosen while there is something to take back there. The window's child; steps and
// controller may go before it.
class UndoCommands : public QObject {
  Q_OBJECT
 public:
  UndoCommands(MainWindow* window, QUndoStack* runs, TrainController* train);

 private:
  void refresh();
  void undo();
  void redo();
  MainWindow* m_window;
  QUndoStack* m_runs;
  TrainController* m_train;
  QAction* m_undo;
  QAction* m_redo;
};

}  // namespace roadtune::studio
