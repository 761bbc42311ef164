// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/question_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {
constexpr int kQuestionWidth = 520;
constexpr int kBlindMs = 700;
}  // namespace

QuestionPanel::QuestionPanel(QWidget* window)
    : Overlay(window),
      m_title(titleLabel({})),
      m_text(new QLabel),
      m_code(new QLabel),
      m_field(new QLineEdit),
      m_yes(primaryButton({}, QStringLiteral("questionYes"))),
      m_no(plainButton(tr("Cancel"), QStringLiteral("questionNo"))) {
  setObjectName(QStringLiteral("questionPanel"));
  m_title->setObjectName(QStringLiteral("questionTitle"));
  m_text->setObjectName(QStringLiteral("questionText"));
  m_text->setWordWrap(true);
  m_code->setObjectName(QStringLiteral("questionCode"));
  m_code->setFont(codeFont());
  m_code->setWordWrap(true);
  m_code->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_field->setObjectName(QStringLiteral("questionField"));
  auto* buttons = row();
  buttons->addStretch(1);
  buttons->addWidget(m_no);
  buttons->addWidget(m_yes);
  auto* layout = column(panel(), 12);
  layout->setContentsMargins(24, 20, 24, 20);
  for (QWidget* part : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_text), static_cast<QWidget*>(m_code),
                        static_cast<QWidget*>(m_field)})
    layout->addWidget(part);
  layout->addStretch(1);
  layout->addLayout(buttons);
  connect(m_yes, &QPushButton::clicked, this, [this] { finish(true); });
  connect(m_no, &QPushButton::clicked, this, [this] { finish(false); });
  connect(m_field, &QLineEdit::returnPressed, this, [this] { finish(true); });
  connect(this, &Overlay::closed, this, [this] { finish(false); });
  for (QWidget* part : {static_cast<QWidget*>(m_yes), static_cast<QWidget*>(m_no), static_cast<QWidget*>(m_field)})
    part->installEventFilter(this);
}

void QuestionPanel::ask(const Question& question) {
  m_title->setText(question.title);
  m_text->setText(question.text);
  m_code->setText(question.code);
  m_code->setVisible(!question.code.isEmpty());
  m_field->clear();
  m_field->setVisible(!question.field.isEmpty());
  m_field->setAccessibleName(question.field);
  m_field->setPlaceholderText(question.field);
  m_field->setEchoMode(question.secret ? QLineEdit::Password : QLineEdit::Normal);
  m_yes->setText(question.yes);
  setAccessibleName(question.title);
  m_open = true;
  const bool typing = isTypedInto(QApplication::focusWidget());
  m_blind = typing ? QDeadlineTimer(kBlindMs) : QDeadlineTimer();
  open();
}

QSize QuestionPanel::panelSize(const QSize&) const {
  QLayout* layout = panel()->layout();
  const int tall = layout->hasHeightForWidth() ? layout->heightForWidth(kQuestionWidth) : layout->sizeHint().height();
  return {kQuestionWidth, tall};
}

void QuestionPanel::onOpen() {
  if (m_field->isVisibleTo(this))
    m_field->setFocus();
  else
    m_no->setFocus();  // trusting takes a decision, not a reflex
}

// Whoever typed somewhere else when the question came has answered nothing with the end of his line.
bool QuestionPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && !m_blind.hasExpired()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool presses = key == Qt::Key_Space && watched != m_field;
    if (presses || key == Qt::Key_Return || key == Qt::Key_Enter) return true;
  }
  return Overlay::eventFilter(watched, event);
}

void QuestionPanel::finish(bool yes) {
  if (!m_open) return;
  m_open = false;
  const QString text = m_field->text();
  m_field->clear();
  close();
  emit answered(yes, text);
}

}  // namespace roadtune::widgets
