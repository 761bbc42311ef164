// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/undo_keys.h"

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace roadtune::widgets {

QList<QKeySequence> redoKeys() {
  QList<QKeySequence> keys{QKeySequence(Qt::CTRL | Qt::Key_Y), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)};
  for (const QKeySequence& own : QKeySequence::keyBindings(QKeySequence::Redo))
    if (!keys.contains(own)) keys << own;
  return keys;
}

bool leftToWindow(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  if (!key->matches(QKeySequence::Undo) && !redoKeys().contains(QKeySequence(key->keyCombination()))) return false;
  event->ignore();
  return true;
}

bool leftWhenUntouched(const QWidget* field, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return false;
  const auto* line = qobject_cast<const QLineEdit*>(field);
  if (qobject_cast<const QAbstractSpinBox*>(field)) line = field->findChild<const QLineEdit*>();
  if (!line) return false;
  const bool undoes = static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo);
  return !(undoes ? line->isUndoAvailable() : line->isRedoAvailable()) && leftToWindow(event);
}

}  // namespace roadtune::widgets
