// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/problem_list.h"

#include "widgets/common/controls.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>

namespace roadtune::widgets {
namespace {
constexpr int kMostRows = 500, kMostLines = 20'000, kLeastHeight = 120;
}

ProblemList::ProblemList(QWidget* parent) : QWidget(parent), m_title(headingLabel({})), m_list(new QListWidget) {
  setObjectName(QStringLiteral("problemList"));
  m_title->setObjectName(QStringLiteral("problemTitle"));
  m_list->setObjectName(QStringLiteral("problemRows"));
  m_list->setAccessibleName(tr("What could not be read"));
  m_list->setFrameShape(QFrame::StyledPanel);
  m_list->setFont(secondaryFont());
  m_list->setWordWrap(true);
  m_list->setSpacing(3);
  m_list->setTextElideMode(Qt::ElideNone);
  m_list->setMinimumHeight(kLeastHeight);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* copy = iconButton(QStringLiteral("copy"), tr("Copy the whole list"), QStringLiteral("problemCopy"));
  auto* head = row(nullptr, 8);
  head->addWidget(m_title, 1);
  head->addWidget(copy);
  auto* layout = column(this, 4);
  layout->addLayout(head);
  layout->addWidget(m_list, 1);
  connect(copy, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(m_lines.join(QLatin1Char('\n'))); });
  hide();
}

void ProblemList::clear() {
  m_lines.clear();
  m_list->clear();
  hide();
}

void ProblemList::add(const QString& line) {
  if (m_lines.size() >= kMostLines) return;
  m_lines << line;
  if (m_list->count() < kMostRows) {
    auto* item = new QListWidgetItem(shortProblem(line), m_list);
    item->setToolTip(line);
  }
  refreshTitle();
  show();
}

void ProblemList::refreshTitle() {
  const QString count = countText(m_lines.size());
  m_title->setText(m_lines.size() == 1 ? tr("1 problem")
                   : m_lines.size() <= kMostRows
                       ? tr("%1 problems").arg(count)
                       : tr("%1 problems, the first %2 are listed").arg(count).arg(kMostRows));
}

QString shortProblem(const QString& line) {
  const qsizetype end = line.indexOf(QLatin1String(": "));
  const qsizetype slash = line.lastIndexOf(QLatin1Char('/'), end < 0 ? 0 : end);
  return end > 0 && slash >= 0 ? line.mid(slash + 1) : line;
}

}  // namespace roadtune::widgets
