// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/line_prompt.h"

#include "widgets/common/controls.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCompleter>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace roadtune::widgets {
namespace {
constexpr int kPromptWidth = 340, kPromptMargin = 8;
}

LinePrompt::LinePrompt(QWidget* beside, const QRect& place, LineQuestion question)
    : QWidget(beside->window()),
      m_beside(beside),
      m_place(place),
      m_question(std::move(question)),
      m_edit(new QLineEdit(m_question.text)),
      m_told(secondaryLabel({})),
      m_accept(primaryButton(m_question.verb, QStringLiteral("promptAccept"))) {
  for (LinePrompt* other : window()->findChildren<LinePrompt*>(QString(), Qt::FindDirectChildrenOnly))
    if (other != this) other->leave();
  m_focusBefore = window()->focusWidget();
  setObjectName(m_question.name);
  setAccessibleName(m_question.title);
  layOut();
  if (!m_question.known.isEmpty()) {
    auto* completer = new QCompleter(m_question.known, m_edit);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_edit->setCompleter(completer);
  }
  window()->installEventFilter(this);
  beside->installEventFilter(this);
  connect(m_edit, &QLineEdit::textChanged, this, &LinePrompt::check);
  connect(m_edit, &QLineEdit::returnPressed, this, &LinePrompt::accept);
  connect(m_accept, &QPushButton::clicked, this, &LinePrompt::accept);
  connect(beside, &QObject::destroyed, this, &LinePrompt::leave);
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) {
    if (now && now->window() == window() && !isAncestorOf(now)) leave();
  });
  put();
  show();
  raise();
  m_edit->selectAll();
  m_edit->setFocus();
}

void LinePrompt::layOut() {
  m_edit->setObjectName(QStringLiteral("promptEdit"));
  m_edit->setAccessibleName(m_question.title);
  m_told->setObjectName(QStringLiteral("promptTold"));
  m_told->setWordWrap(true);
  m_told->hide();
  auto* title = headingLabel(m_question.title);
  title->setWordWrap(true);
  title->setTextFormat(Qt::PlainText);
  auto* line = row();
  line->addWidget(m_edit, 1);
  line->addWidget(m_accept);
  auto* layout = column(this, 6);
  layout->setContentsMargins(12, 8, 12, 12);
  layout->addWidget(title);
  layout->addLayout(line);
  layout->addWidget(m_told);
}

// Below the place, or above it where the window ends.
void LinePrompt::put() {
  if (!m_beside) return;
  const QRect room = window()->rect().adjusted(kPromptMargin, kPromptMargin, -kPromptMargin, -kPromptMargin);
  const QRect at(m_beside->mapTo(window(), m_place.topLeft()), m_place.size());
  const int wide = std::min(kPromptWidth, room.width()), tall = layout()->totalHeightForWidth(wide);
  const bool fits = at.bottom() + kPromptMargin / 2 + tall <= room.bottom();
  const int top = fits ? at.bottom() + kPromptMargin / 2 : at.top() - kPromptMargin / 2 - tall;
  setGeometry(std::clamp(at.left(), room.left(), room.right() + 1 - wide),
              std::clamp(top, room.top(), std::max(room.top(), room.bottom() + 1 - tall)), wide, tall);
}

// An empty line is still to be written: that it cannot be taken is said when one tries.
void LinePrompt::check() {
  const QString text = m_edit->text().trimmed();
  const QString wrong = m_question.wrong ? m_question.wrong(text) : QString();
  const QString note = m_question.note && wrong.isEmpty() ? m_question.note(text) : QString();
  m_told->setText(wrong.isEmpty() ? note : wrong);
  m_told->setForegroundRole(wrong.isEmpty() ? kQuietRole : kBadRole);
  m_told->setVisible(!m_told->text().isEmpty());
  m_accept->setEnabled(wrong.isEmpty());
  m_edit->setAccessibleDescription(m_told->text());
  put();
}

void LinePrompt::accept() {
  m_edit->setFocus();  // a button that goes out would hand it on, out of here
  check();
  if (!m_accept->isEnabled()) return;
  const QString text = m_edit->text().trimmed();
  leave();
  emit answered(text);
}

void LinePrompt::leave() {
  if (isHidden()) return;
  const bool inside = isAncestorOf(window()->focusWidget());
  qApp->disconnect(this);
  hide();
  if (inside && m_focusBefore && m_focusBefore->isVisible()) m_focusBefore->setFocus();
  deleteLater();
}

bool LinePrompt::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_beside && event->type() == QEvent::Hide) leave();
  if (event->type() == QEvent::Resize && isVisible()) put();
  return QWidget::eventFilter(watched, event);
}

// Nothing that is typed here is a key of the page.
void LinePrompt::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) leave();
  event->accept();
}

void LinePrompt::paintEvent(QPaintEvent*) {
  const Tokens& t = Theme::tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(t.accent, 1));
  painter.setBrush(t.raised);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::kRadius, metrics::kRadius);
}

}  // namespace roadtune::widgets
