// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QKeySequence>
#include <QList>

class QEvent;
class QWidget;

namespace roadtune::widgets {

// Ctrl+Y as well as the desktop's own key, whatever the desktop.
QList<QKeySequence> redoKeys();

// For the event() of a field whose history is kept elsewhere: is this the question whether it wants undo or redo for
// itself? Then it has been answered with no, and the window's actions get the keys.
bool leftToWindow(QEvent* event);
// The same for a field with a history of its own, of what is typed now, while that holds nothing for the key.
bool leftWhenUntouched(const QWidget* field, QEvent* event);

}  // namespace roadtune::widgets
