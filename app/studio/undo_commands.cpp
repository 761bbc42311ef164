// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/undo_commands.h"

#include "app/studio/data_history.h"
#include "app/studio/main_window.h"
#include "app/studio/train_controller.h"
#include "widgets/common/undo_keys.h"

#include <QAction>
#include <QUndoStack>

namespace roadtune::studio {

UndoCommands::UndoCommands(MainWindow* window, DataHistory* data, QUndoStack* runs, TrainController* train)
    : QObject(window),
      m_window(window),
      m_data(data),
      m_runs(runs),
      m_train(train),
      m_undo(window->addCommand(QStringLiteral("undoCommand"), tr("Undo"), QKeySequence::Undo, QStringLiteral("undo"))),
      m_redo(window->addCommand(QStringLiteral("redoCommand"), tr("Redo"), {}, QStringLiteral("redo"))) {
  m_redo->setShortcuts(widgets::redoKeys());
  connect(m_undo, &QAction::triggered, this, &UndoCommands::undo);
  connect(m_redo, &QAction::triggered, this, &UndoCommands::redo);
  connect(window, &MainWindow::pageChanged, this, &UndoCommands::refresh);
  connect(data, &DataHistory::changed, this, &UndoCommands::refresh);
  connect(runs, &QUndoStack::indexChanged, this, &UndoCommands::refresh);
  connect(train, &TrainController::undoableChanged, this, &UndoCommands::refresh);
  refresh();
}

void UndoCommands::refresh() {
  const auto set = [this](bool undo, bool redo) {
    m_undo->setEnabled(undo);
    m_redo->setEnabled(redo);
  };
  switch (m_window->page()) {
    case Page::Data: return set(m_data->canUndo(), m_data->canRedo());
    case Page::Train: return set(m_train->canUndo(), m_train->canRedo());
    case Page::Runs: return set(m_runs->canUndo(), m_runs->canRedo());
    case Page::Fleet: return set(false, false);
  }
}

void UndoCommands::undo() {
  switch (m_window->page()) {
    case Page::Data: return m_data->undo();
    case Page::Train: return m_train->undo();
    case Page::Runs: return m_runs->undo();
    case Page::Fleet: return;
  }
}

void UndoCommands::redo() {
  switch (m_window->page()) {
    case Page::Data: return m_data->redo();
    case Page::Train: return m_train->redo();
    case Page::Runs: return m_runs->redo();
    case Page::Fleet: return;
  }
}

}  // namespace roadtune::studio
