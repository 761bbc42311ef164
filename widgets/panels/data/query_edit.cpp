// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/query_edit.h"

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"
#include "widgets/common/undo_keys.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStringListModel>
#include <QStyle>
#include <QStyleOptionFrame>

namespace roadtune::widgets {

QueryEdit::QueryEdit(QWidget* parent)
    : QLineEdit(parent), m_completer(new QCompleter(this)), m_words(new QStringListModel(this)) {
  setObjectName(QStringLiteral("queryEdit"));
  setAccessibleName(tr("Query"));
  setPlaceholderText(tr("All images. Try: time=Night and count(pedestrian)>=3"));
  setClearButtonEnabled(true);
  addAction(icon(QStringLiteral("filter"), true), QLineEdit::LeadingPosition);
  auto* help = addAction(icon(QStringLiteral("info"), true), QLineEdit::TrailingPosition);
  help->setObjectName(QStringLiteral("queryHelp"));
  help->setText(tr("What a query can say"));
  help->setToolTip(tr("What a query can say (?)"));
  connect(help, &QAction::triggered, this, &QueryEdit::helpRequested);
  m_completer->setModel(m_words);
  m_completer->setWidget(this);
  m_completer->setCaseSensitivity(Qt::CaseInsensitive);
  m_completer->setCompletionMode(QCompleter::PopupCompletion);
  connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& word) {
    const QString typed = wordAtCursor();
    const auto at = cursorPosition() - static_cast<int>(typed.size());
    setSelection(at, static_cast<int>(typed.size()));
    insert(word);
  });
}

void QueryEdit::setWords(const QStringList& words) { m_words->setStringList(words); }

QString QueryEdit::wordAtCursor() const {
  int from = cursorPosition();
  const QString all = text();
  while (from > 0 && (all[from - 1].isLetterOrNumber() || all[from - 1] == QLatin1Char('_'))) --from;
  return all.mid(from, cursorPosition() - from);
}

bool QueryEdit::growing() const {
  const QString typed = wordAtCursor();
  bool begins = false;
  for (const QString& word : m_words->stringList()) {
    if (!word.startsWith(typed, Qt::CaseInsensitive)) continue;
    if (word.size() == typed.size() && typed.size() > 1) return false;  // "n" is a field, and begins "Night"
    begins = true;
  }
  return begins && !typed.isEmpty();
}

void QueryEdit::offerWords() {
  const QString typed = wordAtCursor();
  if (typed.isEmpty()) return m_completer->popup()->hide();
  m_completer->setCompletionPrefix(typed);
  const bool whole =
      m_completer->completionCount() == 1 && m_completer->currentCompletion().compare(typed, Qt::CaseInsensitive) == 0;
  if (m_completer->completionCount() == 0 || whole) return m_completer->popup()->hide();
  QRect where = cursorRect();
  where.setWidth(220);
  m_completer->complete(where);
}

bool QueryEdit::inQuotes() const {
  QChar open;
  for (const QChar c : text().left(cursorPosition()))
    if (c == open)
      open = QChar();
    else if (open.isNull() && (c == QLatin1Char('"') || c == QLatin1Char('\'')))
      open = c;
  return !open.isNull();
}

bool QueryEdit::event(QEvent* event) { return leftToWindow(event) || QLineEdit::event(event); }

void QueryEdit::keyPressEvent(QKeyEvent* event) {
  QAbstractItemView* words = m_completer->popup();
  if (event->text() == QLatin1String("?") && !inQuotes()) {
    words->hide();
    emit helpRequested();
    return;
  }
  if (words->isVisible()) {
    switch (event->key()) {
      case Qt::Key_Return:
      case Qt::Key_Enter:
        if (!words->currentIndex().isValid()) {  // no word is chosen: the query is meant
          words->hide();
          break;
        }
        [[fallthrough]];
      case Qt::Key_Escape:
      case Qt::Key_Tab: event->ignore(); return;  // the popup takes them
      default: break;
    }
  } else if (event->modifiers() == Qt::NoModifier && takeKey(event->key())) {
    return;
  }
  const QString before = text();
  QLineEdit::keyPressEvent(event);
  if (text() != before && !event->text().isEmpty()) offerWords();
}

bool QueryEdit::takeKey(int key) {
  if (key != Qt::Key_Down && key != Qt::Key_Escape) return false;
  if (key == Qt::Key_Down || text().isEmpty()) {
    emit left();
    return true;
  }
  selectAll();
  del();
  return true;
}

void QueryEdit::markError(int from, int length) {
  m_errorFrom = from;
  m_errorLength = length;
  setProperty("invalid", length > 0);
  update();
}

void QueryEdit::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  if (m_errorLength <= 0) return;
  // The text starts where the cursor would stand at position 0; scrolled text is measured from the cursor.
  const QFontMetricsF metrics(font());
  const double cursor = cursorRect().center().x();
  const auto place = [&](int at) {
    return cursor + metrics.horizontalAdvance(text().left(at)) -
           metrics.horizontalAdvance(text().left(cursorPosition()));
  };
  const double from = place(m_errorFrom);
  const double to = std::max(from + 6, place(m_errorFrom + m_errorLength));
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(Theme::tokens().bad, 1.25));
  const double base = height() / 2.0 + metrics.ascent() / 2 + 2;
  QPainterPath wave(QPointF(from, base));
  bool up = true;
  for (double x = from; x < to; x += 3, up = !up) wave.lineTo(x + 3, base + (up ? -1.5 : 1.5));
  painter.drawPath(wave);
}

}  // namespace roadtune::widgets
