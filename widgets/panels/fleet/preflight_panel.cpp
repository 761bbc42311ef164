// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/preflight_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/table_view.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/fleet/preflight_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

using Verdict = PreflightCheck::Verdict;
constexpr int kNameWidth = 150, kWidestName = 360, kLeastCell = 220;

template <class Visit>
void forEveryCheck(const PreflightMatrix& matrix, const Visit& visit) {
  for (const PreflightColumn& machine : matrix.machines) {
    for (const PreflightCheck& check : machine.checks) visit(machineTitle(machine.host), check);
  }
  for (const PreflightCheck& check : matrix.together) visit(PreflightPanel::tr("together"), check);
}

int countOf(const PreflightMatrix& matrix, Verdict verdict) {
  int count = 0;
  forEveryCheck(matrix, [&](const QString&, const PreflightCheck& check) { count += check.verdict == verdict; });
  return count;
}

// As long as what it holds: the page scrolls, not the table.
QTreeView* longTable(const QString& name, const QString& title, QAbstractItemModel* model) {
  QTreeView* table = tableView(name, title, model);
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setSelectionMode(QAbstractItemView::NoSelection);
  return table;
}

}  // namespace

QString preflightSummary(const PreflightMatrix& matrix) {
  const int bad = countOf(matrix, Verdict::Bad), warned = countOf(matrix, Verdict::Warning);
  if (bad > 0) return PreflightPanel::tr("%1 in the way of a run").arg(bad);
  return warned > 0 ? PreflightPanel::tr("ready; %1 to know about").arg(warned) : PreflightPanel::tr("ready");
}

PreflightPanel::PreflightPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new PreflightModel(this)),
      m_between(new PreflightModel(this)),
      m_advice(new TableModel({tr("Machine"), tr("Check"), tr("What to do")}, 1, this)),
      m_table(longTable(QStringLiteral("preflightTable"), tr("Preflight checks"), m_model)),
      m_betweenTable(longTable(QStringLiteral("preflightBetween"), tr("Between the machines"), m_between)),
      m_adviceTable(longTable(QStringLiteral("preflightAdvice"), tr("What to do"), m_advice)),
      m_betweenTitle(headingLabel(tr("Between the machines"))),
      m_adviceTitle(headingLabel(tr("What to do"))),
      m_summary(secondaryLabel({})) {
  m_summary->setObjectName(QStringLiteral("preflightSummary"));
  auto* layout = column(this, 6);
  auto* head = row(nullptr, 8);
  head->addWidget(headingLabel(tr("Preflight")));
  head->addWidget(m_summary, 1);
  auto* again = plainButton(tr("Check again"), QStringLiteral("checkAgain"));
  again->setIcon(icon(QStringLiteral("refresh")));
  head->addWidget(again);
  layout->addLayout(head);
  layout->addWidget(m_table);
  layout->addSpacing(8);
  layout->addWidget(m_betweenTitle);
  layout->addWidget(m_betweenTable);
  layout->addSpacing(8);
  layout->addWidget(m_adviceTitle);
  layout->addWidget(m_adviceTable);
  m_adviceTable->setColumnWidth(0, kNameWidth);
  for (QWidget* part : std::initializer_list<QWidget*>{m_betweenTitle, m_betweenTable, m_adviceTitle, m_adviceTable})
    part->hide();
  m_summary->setText(tr("checking…"));
  connect(again, &QPushButton::clicked, this, &PreflightPanel::checkRequested);
}

void PreflightPanel::setChecking(bool checking) {
  m_summary->setText(checking ? tr("checking…") : m_model->matrix() ? preflightSummary(*m_model->matrix()) : QString());
}

void PreflightPanel::setMatrix(const PreflightMatrixPtr& matrix) {
  m_model->setMatrix(matrix);
  // The same table with one column: they are all together one machine.
  m_between->setMatrix(std::make_shared<const PreflightMatrix>(PreflightMatrix{{{tr("Found"), matrix->together}}, {}}));
  m_betweenTitle->setVisible(!matrix->together.empty());
  m_betweenTable->setVisible(!matrix->together.empty());
  std::vector<TableModel::Row> rows, notes;
  forEveryCheck(*matrix, [&](const QString& host, const PreflightCheck& check) {
    for (const QString& note : check.notes) notes.push_back({{host, QStringLiteral("ssh_config"), checkWords(note)}});
    if (check.advice.isEmpty() || check.verdict == Verdict::Good) return;
    const auto tone = check.verdict == Verdict::Bad ? TableModel::Tone::Bad : TableModel::Tone::Warning;
    rows.push_back({{host, checkTitle(check.key), checkWords(check.advice)}, tone, {}, checkWords(check.found)});
  });
  rows.insert(rows.end(), notes.begin(), notes.end());  // nothing stands in the way for their sake
  m_adviceTitle->setVisible(!rows.empty());
  m_adviceTable->setVisible(!rows.empty());
  m_advice->setRows(std::move(rows));
  setChecking(false);
  fitTables();
}

void PreflightPanel::fitTables() {
  const int machines = std::max(1, m_model->columnCount() - 1);
  const int wide = std::max(kLeastCell, (m_table->viewport()->width() - kNameWidth) / machines);
  m_table->setColumnWidth(0, kNameWidth);
  m_table->header()->setStretchLastSection(false);
  for (int i = 1; i <= machines; ++i) m_table->setColumnWidth(i, wide);
  const bool scrolls = kNameWidth + machines * wide > m_table->viewport()->width();
  const int bar = scrolls ? m_table->horizontalScrollBar()->sizeHint().height() : 0;
  m_table->setFixedHeight((m_model->rowCount() + 1) * metrics::kRowHeight + 4 + bar);
  for (const auto& [table, names] : {std::pair{m_betweenTable, 0}, {m_adviceTable, 1}}) {  // pairs have long names
    table->resizeColumnToContents(names);
    table->setColumnWidth(names, std::clamp(table->columnWidth(names), kNameWidth, kWidestName));
  }
  m_betweenTable->setFixedHeight((m_between->rowCount() + 1) * metrics::kRowHeight + 4);
  m_adviceTable->setFixedHeight((m_advice->rowCount() + 1) * metrics::kRowHeight + 4);
}

void PreflightPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitTables();
}

}  // namespace roadtune::widgets
