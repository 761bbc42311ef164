// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/empty_state.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace roadtune::widgets {
namespace {
constexpr int kTextWidth = 400;
}

EmptyState::EmptyState(const QString& iconName, const QString& title, const QString& text, QWidget* parent)
    : QWidget(parent),
      m_icon(iconName),
      m_picture(new QLabel),
      m_title(headingLabel(title)),
      m_text(new QLabel(text)),
      m_actions(new QWidget) {
  m_text->setForegroundRole(QPalette::PlaceholderText);
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_text->setAlignment(Qt::AlignHCenter);
  auto* layout = column(this, 12);
  layout->addStretch(2);
  layout->addWidget(m_picture, 0, Qt::AlignHCenter);
  layout->addWidget(m_title, 0, Qt::AlignHCenter);
  layout->addWidget(m_text, 0, Qt::AlignHCenter);
  m_buttons = row(m_actions);
  m_buttons->setAlignment(Qt::AlignHCenter);
  layout->addSpacing(4);
  layout->addWidget(m_actions);
  layout->addStretch(3);
  setTexts(title, text);
  paintIcon();
}

void EmptyState::setTexts(const QString& title, const QString& text) {
  m_title->setText(title);
  m_text->setText(foldedText(text));
  // A wrapped label that is centred does not ask for its height by itself.
  m_text->setFixedSize(kTextWidth, std::max(0, m_text->heightForWidth(kTextWidth)));
}

void EmptyState::setActionsShown(bool shown) { m_actions->setVisible(shown); }

void EmptyState::setQuiet(bool quiet) {
  if (!m_primary) return;
  m_primary->setProperty("primary", !quiet);
  m_primary->update();
}

QPushButton* EmptyState::addPrimary(const QString& text, const QString& objectName) {
  auto* button = m_primary = primaryButton(text, objectName);
  m_buttons->addWidget(button);
  setFocusProxy(button);
  return button;
}

QPushButton* EmptyState::addSecondary(const QString& text, const QString& objectName) {
  auto* button = plainButton(text, objectName);
  m_buttons->addWidget(button);
  return button;
}

void EmptyState::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) paintIcon();
  QWidget::changeEvent(event);
}

void EmptyState::paintIcon() {
  m_picture->setPixmap(iconPixmap(m_icon, 40, Theme::tokens().disabled, devicePixelRatioF()));
}

}  // namespace roadtune::widgets
