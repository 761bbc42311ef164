// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/fleet_page.h"

#include "widgets/common/controls.h"
#include "widgets/common/theme.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/fleet/machine_tile.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace roadtune::widgets {

FleetPage::FleetPage(QWidget* parent)
    : QWidget(parent), m_tile(new MachineTile), m_checks(new TableModel({tr("Result"), tr("Check"), tr("Found"), tr("What to do")}, 0, this)) {
  setObjectName(QStringLiteral("fleetPage"));
  auto* layout = column(this, 12);
  layout->setContentsMargins(20, 14, 20, 16);
  layout->addWidget(titleLabel(tr("Fleet")));
  auto* tiles = row(nullptr, 12);
  m_tile->setMaximumWidth(620);
  tiles->addWidget(m_tile, 3, Qt::AlignTop);
  auto* more = secondaryLabel(tr("Runs started from this window train on this machine.\nRuns on other machines are started with `roadtune train --hosts`\n"
                                 "in a terminal, and show on the Runs page like any other."));
  more->setWordWrap(true);
  tiles->addWidget(more, 2, Qt::AlignTop);
  layout->addLayout(tiles);
  layout->addSpacing(8);
  layout->addWidget(makeChecks(), 1);
}

QWidget* FleetPage::makeChecks() {
  auto* panel = new QWidget;
  auto* layout = column(panel, 6);
  auto* head = row(nullptr, 8);
  head->addWidget(headingLabel(tr("Preflight")));
  m_summary = secondaryLabel({});
  m_summary->setObjectName(QStringLiteral("preflightSummary"));
  head->addWidget(m_summary, 1);
  auto* again = iconButton(QStringLiteral("refresh"), tr("Check again"), QStringLiteral("checkAgain"));
  again->setText(tr("Check again"));
  again->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  head->addWidget(again);
  layout->addLayout(head);
  auto* table = new QTreeView;
  table->setObjectName(QStringLiteral("preflightTable"));
  table->setAccessibleName(tr("Preflight checks"));
  table->setModel(m_checks);
  table->setRootIsDecorated(false);
  table->setUniformRowHeights(true);
  table->setFrameShape(QFrame::NoFrame);
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->setSelectionMode(QAbstractItemView::NoSelection);
  table->header()->setFont(secondaryFont());
  table->setColumnWidth(0, 100);
  table->setColumnWidth(1, 220);
  table->setColumnWidth(2, 320);
  table->setFixedHeight(2 * metrics::kRowHeight);
  layout->addWidget(table);
  layout->addStretch(1);
  const auto fit = [this, table] { table->setFixedHeight((m_checks->rowCount() + 1) * metrics::kRowHeight + 4); };
  connect(m_checks, &TableModel::rowsInserted, table, fit);
  connect(m_checks, &TableModel::rowsRemoved, table, fit);
  m_summary->setText(tr("checking…"));
  connect(again, &QToolButton::clicked, this, &FleetPage::checkRequested);
  return panel;
}

void FleetPage::setReading(const MachineReadingPtr& reading) {
  if (reading) m_tile->setReading(*reading);
}

void FleetPage::setRunning(int runs) { m_tile->setRuns(runs); }

void FleetPage::setChecks(const PreflightChecks& checks) {
  using Verdict = PreflightCheck::Verdict;
  std::vector<TableModel::Row> rows;
  int bad = 0, warned = 0;
  for (const PreflightCheck& check : *checks) {
    const QString word = check.verdict == Verdict::Good ? tr("good") : check.verdict == Verdict::Warning ? tr("note") : tr("missing");
    const auto tone = check.verdict == Verdict::Good ? TableModel::Tone::Good : check.verdict == Verdict::Warning ? TableModel::Tone::Warning : TableModel::Tone::Bad;
    rows.push_back({{word, check.name, check.found, check.advice}, tone, {}, check.advice});
    bad += check.verdict == Verdict::Bad;
    warned += check.verdict == Verdict::Warning;
  }
  m_checks->setRows(std::move(rows));
  m_summary->setText(bad > 0 ? tr("%1 in the way of a run").arg(bad) : warned > 0 ? tr("ready; %1 to know about").arg(warned) : tr("ready"));
}

}  // namespace roadtune::widgets
