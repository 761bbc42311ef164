// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/marks_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/wrap_layout.h"

#include <QCompleter>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStringListModel>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace roadtune::widgets {
namespace {
constexpr int kNoteHeight = 52, kLeastChip = 24;
}

MarksPanel::MarksPanel(QWidget* parent)
    : QWidget(parent),
      m_chips(new QWidget),
      m_edit(new QLineEdit),
      m_text(new QPlainTextEdit),
      m_known(new QStringListModel(this)) {
  setObjectName(QStringLiteral("marksPanel"));
  new WrapLayout(4, m_chips);
  m_edit->setObjectName(QStringLiteral("tagEdit"));
  m_edit->setAccessibleName(tr("Add a tag"));
  m_edit->addAction(icon(QStringLiteral("tag"), true), QLineEdit::LeadingPosition);
  auto* completer = new QCompleter(m_known, m_edit);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  m_edit->setCompleter(completer);
  m_text->setObjectName(QStringLiteral("noteEdit"));
  m_text->setAccessibleName(tr("Note"));
  m_text->setPlaceholderText(tr("Note"));
  m_text->setFixedHeight(kNoteHeight);
  m_text->setTabChangesFocus(true);
  m_text->document()->setDocumentMargin(4);
  m_text->viewport()->setAutoFillBackground(false);  // its frame is filled, to its round corners
  for (QWidget* field : {static_cast<QWidget*>(m_edit), static_cast<QWidget*>(m_text)}) field->installEventFilter(this);
  auto* layout = column(this, 6);
  layout->setContentsMargins(12, 8, 12, 10);
  layout->addWidget(m_chips);
  layout->addWidget(m_edit);
  layout->addWidget(m_text);
  connect(m_edit, &QLineEdit::returnPressed, this, [this] {
    const QString tag = m_edit->text().trimmed();
    m_edit->clear();
    if (!tag.isEmpty()) emit tagAdded(tag);
  });
  setChosen(1);
  refillChips();
}

void MarksPanel::setImage(std::optional<quint32> image) {
  if (image == m_image) return;
  commitNote();
  m_image = image;
  m_note.clear();
  m_text->clear();
  setMarks({}, {});
  m_told = false;
}

void MarksPanel::setMarks(const QStringList& tags, const QString& note) {
  if (tags != m_tags) {
    m_tags = tags;
    refillChips();
  }
  const bool late = !std::exchange(m_told, true);
  if (m_text->hasFocus() && m_text->toPlainText() != m_note) {  // being written
    if (!late || note.isEmpty()) return;
    m_note = note;  // what was written earlier stays above what came before it was known
    QTextCursor top(m_text->document());
    return top.insertText(note + QLatin1Char('\n'));
  }
  m_note = note;
  if (m_text->toPlainText() != note) m_text->setPlainText(note);
}

void MarksPanel::setChosen(std::size_t images) {
  m_edit->setPlaceholderText(images > 1 ? tr("Tag %1 images").arg(countText(images)) : tr("Add a tag"));
}
void MarksPanel::setKnownTags(const QStringList& tags) { m_known->setStringList(tags); }

void MarksPanel::focusTag() { m_edit->setFocus(); }
void MarksPanel::focusNote() { m_text->setFocus(); }

void MarksPanel::commitNote() {
  const QString text = m_text->toPlainText();
  if (text == m_note || !m_image) return;
  m_note = text;
  emit noteChanged(*m_image, text);
}

void MarksPanel::refillChips() {
  qDeleteAll(m_chips->findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly));
  QWidget* before = m_edit->previousInFocusChain();
  while (before != m_edit && !(before->focusPolicy() & Qt::TabFocus)) before = before->previousInFocusChain();
  for (const QString& tag : m_tags) {
    auto* chip = iconButton(QStringLiteral("close"), tr("Take %1 off").arg(tag), QStringLiteral("chip_") + tag);
    chip->setText(buttonText(tag));
    chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    chip->setProperty("chip", true);
    chip->setIconSize({10, 10});
    chip->setFont(secondaryFont());
    chip->setFixedHeight(22);
    chip->setMinimumWidth(kLeastChip);
    m_chips->layout()->addWidget(chip);
    chip->show();
    setTabOrder(before, chip);  // Tab would come to it last
    before = chip;
    connect(chip, &QToolButton::clicked, this, [this, tag] { emit tagRemoved(tag); });
  }
  m_chips->setVisible(!m_tags.isEmpty());
}

bool MarksPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_text && event->type() == QEvent::FocusOut) commitNote();
  if (event->type() == QEvent::KeyPress) {
    const auto* press = static_cast<QKeyEvent*>(event);
    if (press->key() == Qt::Key_Escape) return m_edit->clear(), emit left(), true;
    if (watched != m_text) return false;
    const bool enter = press->key() == Qt::Key_Return || press->key() == Qt::Key_Enter;
    if (enter && (press->modifiers() & Qt::ControlModifier)) return commitNote(), true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace roadtune::widgets
