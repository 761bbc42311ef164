// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/undo_commands.h"

#include "app/studio/main_window.h"
#include "app/studio/train_controller.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/query_line.h"

#include <QAction>
#include <QUndoStack>

namespace roadtune::studio {

UndoCommands::UndoCommands(MainWindow* window, QUndoStack* runs, TrainController* train)
    : QObject(window),
      m_window(window),
      m_runs(runs),
      m_train(train),
      m_undo(window->addCommand(QStringLiteral("undoCommand"), tr("Undo"), QKeySequence::Undo, QStringLiteral("undo"))),
      m_redo(
          window->addCommand(QStringLiteral("redoCommand"), tr("Redo"), QKeySequence::Redo, QStringLiteral("redo"))) {
  connect(m_undo, &QAction::triggered, this, &UndoCommands::undo);
  connect(m_redo, &QAction::triggered, this, &UndoCommands::redo);
  connect(window, &MainWindow::pageChanged, this, &UndoCommands::refresh);
  connect(window->dataPage()->queryLine(), &widgets::QueryLine::historyChanged, this, &UndoCommands::refresh);
  connect(runs, &QUndoStack::indexChanged, this, &UndoCommands::refresh);
  connect(train, &TrainController::undoableChanged, this, &UndoCommands::refresh);
  refresh();
}

void UndoCommands::refresh() {
  const auto set = [this](bool undo, bool redo) {
    m_undo->setEnabled(undo);
    m_redo->setEnabled(redo);
  };
  const auto* query = m_window->dataPage()->queryLine();
  switch (m_window->page()) {
    case Page::Data: return set(query->canUndo(), query->canRedo());
    case Page::Runs: return set(m_runs->canUndo(), m_runs->canRedo());
    default: set(m_train->canUndo(), m_train->canRedo());
  }
}

void UndoCommands::undo() {
  switch (m_window->page()) {
    case Page::Data: return m_window->dataPage()->queryLine()->undo();
    case Page::Runs: return m_runs->undo();
    default: m_train->undo();
  }
}

void UndoCommands::redo() {
  switch (m_window->page()) {
    case Page::Data: return m_window->dataPage()->queryLine()->redo();
    case Page::Runs: return m_runs->redo();
    default: m_train->redo();
  }
}

}  // namespace roadtune::studio
