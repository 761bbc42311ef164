// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/compare_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/table_view.h"
#include "widgets/common/theme.h"
#include "widgets/forms/field_text.h"
#include "widgets/models/table_model.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

QString differenceText(const config::Value& value) {
  if (value.isNull()) return ComparePanel::tr("not set");
  return editorText(value).value_or(ComparePanel::tr("(a list)"));
}

}  // namespace

ComparePanel::ComparePanel(QWidget* parent)
    : QWidget(parent),
      m_runs(new QComboBox),
      m_note(secondaryLabel({})),
      m_stack(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("runs"), {}, {})),
      m_model(new TableModel({tr("Setting"), tr("That run"), tr("Here")}, 2, this)),
      m_table(tableView(QStringLiteral("compareTable"), tr("Differences"), m_model)) {
  setObjectName(QStringLiteral("comparePanel"));
  m_runs->setObjectName(QStringLiteral("compareRun"));
  m_runs->setAccessibleName(tr("Run to compare with"));
  m_runs->setMinimumWidth(220);
  m_note->setObjectName(QStringLiteral("compareNote"));
  m_note->setWordWrap(true);
  m_table->setColumnWidth(0, 220);
  m_table->setColumnWidth(1, 190);
  auto* head = row(nullptr, 8);
  head->setContentsMargins(12, 8, 12, 4);
  head->addWidget(secondaryLabel(tr("Compare with")));
  head->addWidget(m_runs);
  head->addWidget(m_note, 1);
  auto* layout = column(this, 0);
  layout->addLayout(head);
  m_stack->addWidget(m_empty);
  m_stack->addWidget(m_table);
  layout->addWidget(m_stack, 1);
  setRuns({});
  connect(m_runs, &QComboBox::activated, this, [this] { emit runChosen(run()); });
}

void ComparePanel::setRuns(const QList<QPair<QString, QString>>& runs) {
  const QString before = run();
  QStringList known, next;
  for (int i = 1; i < m_runs->count(); ++i) known << m_runs->itemData(i).toString();
  for (const auto& [name, folder] : runs) next << folder;
  if (known == next && m_runs->count() > 0) return;
  m_runs->clear();
  m_runs->addItem(tr("choose a run"), QString());
  for (const auto& [name, folder] : runs) m_runs->addItem(name, folder);
  m_runs->setCurrentIndex(std::max(0, m_runs->findData(before)));
  refreshEmpty();
}

void ComparePanel::refreshEmpty() {
  m_runs->setEnabled(m_runs->count() > 1);
  m_stack->setCurrentIndex(run().isEmpty() ? 0 : 1);
  if (m_runs->count() > 1)
    m_empty->setTexts(tr("Compare with a run"), tr("Choose a run above to see which settings differ from it."));
  else
    m_empty->setTexts(tr("No run yet"), tr("Once there are runs, this shows which settings differ from one of them."));
}

QString ComparePanel::run() const { return m_runs->currentData().toString(); }

void ComparePanel::setDifferences(const std::vector<config::Difference>& differences) {
  refreshEmpty();
  std::vector<TableModel::Row> rows;
  for (const config::Difference& one : differences) {
    rows.push_back({{QString::fromStdString(one.key), differenceText(one.first), differenceText(one.second)},
                    TableModel::Tone::Plain,
                    {},
                    {}});
  }
  m_note->setText(run().isEmpty()    ? QString()
                  : rows.empty()     ? tr("Nothing is different.")
                  : rows.size() == 1 ? tr("1 difference")
                                     : tr("%1 differences").arg(rows.size()));
  m_model->setRows(std::move(rows));
}

void ComparePanel::setError(const QString& why) {
  m_note->setText(why);
  m_model->setRows({});
}

}  // namespace roadtune::widgets
