// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/log_view.h"

#include "widgets/common/controls.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QVBoxLayout>

namespace roadtune::widgets {

LogView::LogView(QWidget* parent)
    : QWidget(parent),
      m_which(new QComboBox),
      m_filter(searchField(tr("Filter lines"), QStringLiteral("logFilter"))),
      m_count(secondaryLabel({})),
      m_text(new QPlainTextEdit) {
  m_which->setObjectName(QStringLiteral("logProcess"));
  m_which->setAccessibleName(tr("Process"));
  m_filter->setMaximumWidth(280);
  m_text->setObjectName(QStringLiteral("logText"));
  m_text->setAccessibleName(tr("Log"));
  m_text->setReadOnly(true);
  m_text->setUndoRedoEnabled(false);
  m_text->setFont(codeFont());
  m_text->setFrameShape(QFrame::NoFrame);
  m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_text->document()->setDocumentMargin(10);
  auto* bar = row(nullptr, 8);
  bar->setContentsMargins(12, 6, 12, 6);
  bar->addWidget(m_which);
  bar->addWidget(m_filter, 1);
  bar->addWidget(m_count);
  bar->addStretch(1);
  auto* layout = column(this, 0);
  layout->addLayout(bar);
  layout->addWidget(m_text, 1);
  connect(m_filter, &QLineEdit::textChanged, this, &LogView::refill);
  // Whatever else changes the bar - more lines, another size of the pane - moves the text to its end again.
  QScrollBar* scroll = m_text->verticalScrollBar();
  connect(scroll, &QScrollBar::actionTriggered, this,
          [this, scroll] { m_following = scroll->sliderPosition() >= scroll->maximum(); });
  connect(scroll, &QScrollBar::rangeChanged, this, [this, scroll] {
    if (m_following) scroll->setValue(scroll->maximum());
  });
  connect(m_which, &QComboBox::activated, this, [this] { emit rankChosen(m_which->currentData().toInt()); });
}

void LogView::setLog(const std::vector<int>& ranks, int rank, const std::vector<std::string>& lines) {
  std::vector<int> known;
  for (int i = 0; i < m_which->count(); ++i) known.push_back(m_which->itemData(i).toInt());
  if (known != ranks) {
    m_which->clear();
    for (const int one : ranks) m_which->addItem(one < 0 ? tr("Agent") : tr("Process %1").arg(one + 1), one);
  }
  m_which->setCurrentIndex(m_which->findData(rank));
  if (lines == m_lines) return;
  m_lines = lines;
  refill();
}

void LogView::refill() {
  QScrollBar* bar = m_text->verticalScrollBar();
  const int kept = bar->value();
  const QString wanted = m_filter->text();
  QString text;
  int shown = 0;
  for (const std::string& line : m_lines) {
    const QString one = QString::fromStdString(line);
    if (!wanted.isEmpty() && !one.contains(wanted, Qt::CaseInsensitive)) continue;
    if (shown++ > 0) text += QLatin1Char('\n');
    text += one;
  }
  m_text->setPlainText(text);
  m_count->setText(shown == 1 ? tr("1 line") : tr("%1 lines").arg(countText(shown)));
  bar->setValue(m_following ? bar->maximum() : kept);
}

}  // namespace roadtune::widgets
