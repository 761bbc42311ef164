// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/query_line.h"

#include "widgets/common/controls.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/data/query_edit.h"
#include "widgets/panels/data/query_sheet.h"

#include <QBoxLayout>
#include <QLabel>
#include <QTimer>

#include <utility>

namespace roadtune::widgets {
namespace {
constexpr int kQuietMs = 250;
}

QueryLine::QueryLine(QWidget* parent)
    : QWidget(parent),
      m_edit(new QueryEdit),
      m_count(secondaryLabel({})),
      m_error(new QLabel),
      m_quiet(new QTimer(this)) {
  m_count->setObjectName(QStringLiteral("queryCount"));
  m_error->setObjectName(QStringLiteral("queryError"));
  m_error->setFont(secondaryFont());
  m_error->setForegroundRole(QPalette::BrightText);
  // Its line stays free: what is below does not jump while one types.
  QSizePolicy keeps = m_error->sizePolicy();
  keeps.setRetainSizeWhenHidden(true);
  m_error->setSizePolicy(keeps);
  m_error->setFixedHeight(QFontMetrics(secondaryFont()).height());
  m_error->hide();
  auto* layout = column(this, 2);
  layout->addWidget(m_edit);
  layout->addWidget(m_error);
  m_quiet->setSingleShot(true);
  m_quiet->setInterval(kQuietMs);
  connect(m_quiet, &QTimer::timeout, this, &QueryLine::apply);
  connect(m_edit, &QLineEdit::textChanged, m_quiet, qOverload<>(&QTimer::start));
  connect(m_edit, &QLineEdit::textChanged, this, &QueryLine::edited);
  connect(m_edit, &QLineEdit::textEdited, this, [this] { m_entering = false; });
  connect(m_edit, &QLineEdit::returnPressed, this, &QueryLine::enter);
  connect(m_edit, &QueryEdit::helpRequested, this, &QueryLine::showHelp);
  connect(m_edit, &QueryEdit::left, this, &QueryLine::left);
  connect(m_edit, &QLineEdit::editingFinished, this, [this] {
    if (!m_held) return;
    askAgain();
    apply();
  });
}

// To the images, as soon as they are those of the query. One that cannot be answered keeps the cursor.
void QueryLine::enter() {
  askAgain();
  apply();
  m_entering = m_asked;
  if (!m_asked && m_error->isHidden()) emit left();
}

void QueryLine::apply() {
  m_quiet->stop();
  if (m_edit->text() == m_applied) return;
  m_applied = m_edit->text();
  m_asked = true;
  emit applied(m_applied);
}

QString QueryLine::text() const { return m_edit->text(); }
QLineEdit* QueryLine::edit() const { return m_edit; }

void QueryLine::setText(const QString& text) {
  m_edit->setText(text);
  apply();
}

void QueryLine::setCount(std::size_t count, std::size_t all) {
  const QString some = countText(count);
  const QString whole = countText(all);
  m_counted = count != all ? tr("%1 of %2").arg(some, whole) : all == 1 ? tr("1 image") : tr("%1 images").arg(whole);
  showCount();
}

void QueryLine::setSelected(std::size_t images) {
  m_selected = images;
  showCount();
}

void QueryLine::showCount() {
  const QString selected = countText(m_selected);
  m_count->setText(m_selected < 2 ? m_counted : tr("%1  ·  %2 selected").arg(m_counted, selected));
}

bool QueryLine::holdsOn() {
  m_held = m_edit->hasFocus() && !m_entering && m_edit->text() == m_applied && m_edit->growing();
  return m_held;
}

void QueryLine::askAgain() {
  if (std::exchange(m_held, false)) m_applied = QString();
}

void QueryLine::setError(const data::QueryError& error) {
  // Columns are bytes of UTF-8; the edit counts UTF-16 units.
  const QByteArray bytes = m_edit->text().toUtf8();
  auto end = bytes.size();
  while (end > 0 && bytes[end - 1] == ' ') --end;
  // Where only the end is missing, one is still writing it.
  if (m_edit->hasFocus() && !m_entering && static_cast<qsizetype>(error.column) >= end) {
    m_edit->markError(0, 0);
    m_error->hide();
    m_held = true;
    return;
  }
  m_asked = m_entering = false;
  const auto units = [&bytes](std::size_t at) {
    return static_cast<int>(QString::fromUtf8(bytes.left(static_cast<qsizetype>(at))).size());
  };
  const int from = units(error.column);
  m_edit->markError(from, std::max(1, units(error.column + error.length) - from));
  QString text = queryErrorWords(QString::fromStdString(error.message));
  if (!error.suggestion.empty()) text += tr(" - did you mean %1?").arg(QString::fromStdString(error.suggestion));
  m_error->setText(text);
  m_error->show();
}

void QueryLine::clearError() {
  m_edit->markError(0, 0);
  m_error->hide();
  m_asked = false;
  // The window may not be the active one by now, and a popup may have the keys for a moment.
  if (std::exchange(m_entering, false) && window()->focusWidget() == m_edit) emit left();
}

void QueryLine::showHelp() {
  if (!m_help) m_help = new QuerySheet(window());
  m_help->open();
}

void QueryLine::setCompletions(const QStringList& words) { m_edit->setWords(words); }

void QueryLine::focusEdit() {
  m_edit->setFocus();
  m_edit->selectAll();
}

}  // namespace roadtune::widgets
