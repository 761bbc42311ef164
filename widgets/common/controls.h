// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <functional>

class QFrame;
class QHBoxLayout;
class QKeySequence;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;
class QWidget;

namespace roadtune::widgets {

// Controls as this program wears them; the parent comes with the layout they are put into.
QLabel* titleLabel(const QString& text);
QLabel* headingLabel(const QString& text);
QLabel* secondaryLabel(const QString& text);
QPushButton* primaryButton(const QString& text, const QString& objectName);
QPushButton* plainButton(const QString& text, const QString& objectName);
QToolButton* iconButton(const QString& iconName, const QString& tip, const QString& objectName);
QLineEdit* searchField(const QString& placeholder, const QString& objectName);
QFrame* separator(Qt::Orientation orientation = Qt::Horizontal);

// Has it the cursor of a text that one edits?
bool isTypedInto(const QWidget* widget);

// Escape empties a search; in an empty one it goes to what was searched.
void leaveByEscape(QLineEdit* search, std::function<void()> leave);

// Scrolls what is in it up and down. Keys reach its parts, and it goes there by itself.
QScrollArea* verticalScroll(QWidget* inside);

// A widget in the surface colour.
QWidget* surface(const QString& objectName = {});

// Layouts without margins and with the page's gap.
QHBoxLayout* row(QWidget* parent = nullptr, int gap = 8);
QVBoxLayout* column(QWidget* parent = nullptr, int gap = 8);

// "Save  (Ctrl+S)" as the tool tip of a control.
QString withKeys(const QString& text, const QKeySequence& keys);

}  // namespace roadtune::widgets
