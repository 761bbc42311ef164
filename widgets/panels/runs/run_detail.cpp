// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/run_detail.h"

#include "widgets/common/controls.h"
#include "widgets/common/table_view.h"
#include "widgets/common/theme.h"
#include "widgets/forms/yaml_highlighter.h"
#include "widgets/panels/runs/log_view.h"
#include "widgets/panels/runs/run_tables.h"
#include "widgets/panels/runs/step_panel.h"
#include "widgets/panels/runs/worst_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTabBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

// As wide as what stands in them, where that leaves room for the last one.
void fitColumns(QTreeView& table) {
  constexpr int kLeast = 72, kMost = 280;
  for (int i = 0; i + 1 < table.model()->columnCount(); ++i) {
    table.resizeColumnToContents(i);
    table.setColumnWidth(i, std::clamp(table.columnWidth(i) + 12, kLeast, kMost));
  }
}

}  // namespace

RunDetail::RunDetail(QWidget* parent)
    : QWidget(parent),
      m_tabs(new QTabBar),
      m_pages(new QStackedWidget),
      m_log(new LogView),
      m_events(new TableModel({tr("Time"), tr("Step"), tr("Event"), tr("Detail")}, 2, this)),
      m_receipt(new TableModel({tr("Result"), tr("Detail")}, 0, this)),
      m_config(new QPlainTextEdit),
      m_step(new StepPanel),
      m_worst(new WorstPanel),
      m_differences(new TableModel({tr("Setting"), tr("This run"), tr("Beside it")}, 2, this)) {
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_events->setRightAligned({1});
  m_tabs->setObjectName(QStringLiteral("runTabs"));
  m_tabs->setExpanding(false);
  m_tabs->setDrawBase(false);
  m_config->setObjectName(QStringLiteral("runConfig"));
  m_config->setAccessibleName(tr("Configuration of the run"));
  m_config->setReadOnly(true);
  m_config->setFont(codeFont());
  m_config->setFrameShape(QFrame::NoFrame);
  m_config->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_config->document()->setDocumentMargin(10);
  new YamlHighlighter(m_config->document());
  const auto add = [this](const QString& title, QWidget* page) {
    m_tabs->addTab(title);
    m_pages->addWidget(page);
  };
  add(tr("Log"), m_log);
  add(tr("Events"), makeTable(m_events, QStringLiteral("eventTable"), tr("Nothing has happened yet."), m_noEvents));
  add(tr("Configuration"), m_config);
  add(tr("Receipt"), makeTable(m_receipt, QStringLiteral("receiptTable"),
                               tr("After the first step the trainer proves here which tensors changed."), m_noReceipt));
  add(tr("Step"), m_step);
  add(tr("Worst samples"), m_worst);
  add(tr("Differences"), makeTable(m_differences, QStringLiteral("differenceTable"), {}, m_noDifferences));
  auto* layout = column(this, 0);
  auto* bar = row();
  bar->setContentsMargins(4, 0, 4, 0);
  bar->addWidget(m_tabs);
  bar->addStretch(1);
  layout->addLayout(bar);
  layout->addWidget(separator());
  layout->addWidget(m_pages, 1);
  connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
  connect(m_step, &StepPanel::imagesRequested, this, &RunDetail::imagesRequested);
  connect(m_log, &LogView::rankChosen, this, &RunDetail::logRankChosen);
}

QWidget* RunDetail::makeTable(TableModel* model, const QString& name, const QString& emptyText, QLabel*& note) {
  auto* page = new QWidget;
  QTreeView* table = tableView(name, {}, model);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->header()->setStretchLastSection(true);
  note = secondaryLabel(emptyText);
  note->setAlignment(Qt::AlignCenter);
  note->setWordWrap(true);
  auto* layout = column(page, 0);
  layout->addWidget(note, 1);
  layout->addWidget(table, 1);
  const auto refresh = [note, table, model] {
    note->setVisible(model->rowCount() == 0);
    table->setVisible(model->rowCount() > 0);
    fitColumns(*table);
  };
  connect(model, &TableModel::rowsInserted, page, refresh);
  connect(model, &TableModel::rowsRemoved, page, refresh);
  connect(table, &QTreeView::activated, this, [this](const QModelIndex& index) {
    const qlonglong step = index.data(TableModel::KeyRole).toLongLong();
    if (step > 0) emit stepChosen(step);
  });
  refresh();
  return page;
}

void RunDetail::setFrame(const RunFrame& frame) {
  m_log->setLog(frame.logRanks, frame.request.logRank, frame.log);
  m_events->setRows(eventRows(frame));
  m_receipt->setRows(receiptRows(frame));
  if (m_config->toPlainText() != frame.config) m_config->setPlainText(frame.config);
  m_differences->setRows(differenceRows(frame));
  m_noDifferences->setText(frame.besideDifferences.empty() ? tr("Show another run beside this one (Ctrl+click in the "
                                                                "list) to see what was set differently.")
                                                           : tr("Both mean the same: no setting is different."));
}

void RunDetail::setStep(const StepFacts& facts) {
  m_stepFacts = facts;
  m_step->setFacts(facts);
  m_tabs->setCurrentIndex(m_pages->indexOf(m_step));
}

void RunDetail::clearStep() {
  m_stepFacts.reset();
  m_step->clear();
}

RunDetail::Look RunDetail::look() const { return {m_tabs->currentIndex(), m_stepFacts}; }

void RunDetail::setLook(const Look& look) {
  if (!look.step) {
    clearStep();
  } else if (look.step->step != m_step->shownStep()) {
    setStep(*look.step);
  }
  m_tabs->setCurrentIndex(look.tab);
}

}  // namespace roadtune::widgets
