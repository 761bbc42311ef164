// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/controls.h"

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

#include <QAction>
#include <QBoxLayout>
#include <QFrame>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QToolButton>

namespace roadtune::widgets {

QLabel* titleLabel(const QString& text) {
  auto* label = new QLabel(text);
  label->setFont(titleFont());
  return label;
}

QLabel* headingLabel(const QString& text) {
  auto* label = new QLabel(text);
  label->setFont(strongFont());
  return label;
}

QLabel* secondaryLabel(const QString& text) {
  auto* label = new QLabel(text);
  label->setFont(secondaryFont());
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

QPushButton* plainButton(const QString& text, const QString& objectName) {
  auto* button = new QPushButton(text);
  button->setObjectName(objectName);
  button->setAutoDefault(false);
  return button;
}

QPushButton* primaryButton(const QString& text, const QString& objectName) {
  auto* button = plainButton(text, objectName);
  button->setProperty("primary", true);
  return button;
}

QToolButton* iconButton(const QString& iconName, const QString& tip, const QString& objectName) {
  auto* button = new QToolButton;
  button->setIcon(icon(iconName));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setObjectName(objectName);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAutoRaise(true);
  button->setPopupMode(QToolButton::InstantPopup);
  return button;
}

QLineEdit* searchField(const QString& placeholder, const QString& objectName) {
  auto* edit = new QLineEdit;
  edit->setPlaceholderText(placeholder);
  edit->setAccessibleName(placeholder);
  edit->setObjectName(objectName);
  edit->setClearButtonEnabled(true);
  edit->addAction(icon(QStringLiteral("search"), true), QLineEdit::LeadingPosition);
  return edit;
}

void leaveByEscape(QLineEdit* search, std::function<void()> leave) {
  auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), search);
  escape->setContext(Qt::WidgetShortcut);
  QObject::connect(escape, &QShortcut::activated, search,
                   [search, leave = std::move(leave)] { search->text().isEmpty() ? leave() : search->clear(); });
}

QFrame* separator(Qt::Orientation orientation) {
  auto* frame = new QFrame;
  const bool flat = orientation == Qt::Horizontal;
  frame->setFrameShape(flat ? QFrame::HLine : QFrame::VLine);
  flat ? frame->setFixedHeight(1) : frame->setFixedWidth(1);
  return frame;
}

QScrollArea* verticalScroll(QWidget* inside) {
  auto* scroll = new QScrollArea;
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(inside);
  return scroll;
}

QWidget* surface(const QString& objectName) {
  auto* widget = new QWidget;
  widget->setObjectName(objectName);
  widget->setBackgroundRole(QPalette::Base);
  widget->setAutoFillBackground(true);
  return widget;
}

QHBoxLayout* row(QWidget* parent, int gap) {
  auto* layout = new QHBoxLayout(parent);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(gap);
  return layout;
}

QVBoxLayout* column(QWidget* parent, int gap) {
  auto* layout = new QVBoxLayout(parent);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(gap);
  return layout;
}

QString withKeys(const QString& text, const QKeySequence& keys) {
  return QStringLiteral("%1  (%2)").arg(text, keys.toString(QKeySequence::NativeText));
}

bool isTypedInto(const QWidget* widget) {
  return widget && widget->isVisible() && widget->isEnabled() && widget->testAttribute(Qt::WA_InputMethodEnabled);
}

}  // namespace roadtune::widgets
