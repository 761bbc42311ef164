// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/process_list.h"

#include "core/base/units.h"
#include "widgets/common/controls.h"
#include "widgets/common/number_text.h"
#include "widgets/common/table_view.h"
#include "widgets/common/theme.h"
#include "widgets/models/table_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr int kMostRows = 6;  // more are scrolled to
constexpr int kUserWidth = 74, kCardWidth = 48, kNumberWidth = 84, kMemoryWidth = 86;

QString bytes(std::uint64_t value) { return value > 0 ? numberText(formatBytes(double(value))) : QString(); }

TableModel::Row rowOf(const ProcessReading& one) {
  QStringList cards;
  for (const int card : one.gpus) cards << QString::number(card);
  const bool seen = !one.user.isEmpty() || !one.program.isEmpty();
  const QString name = !one.run.isEmpty() ? one.run : seen ? one.program : ProcessList::tr("not seen from here");
  QStringList tip{one.run.isEmpty() ? name : ProcessList::tr("%1, of the run %2").arg(one.program, one.run)};
  if (one.gpuMemory > 0) tip << ProcessList::tr("%1 on the graphics card").arg(bytes(one.gpuMemory));
  if (one.memory > 0) tip << ProcessList::tr("%1 of the machine's memory").arg(bytes(one.memory));
  return {{name, one.user, QString::number(one.pid), cards.join(QStringLiteral(", ")),
           bytes(one.gpus.isEmpty() ? one.memory : one.gpuMemory)},
          one.run.isEmpty() ? TableModel::Tone::Plain : TableModel::Tone::Good,
          {},
          tip.join(QLatin1Char('\n'))};
}

}  // namespace

ProcessList::ProcessList(QWidget* parent)
    : QWidget(parent),
      m_model(new TableModel({tr("Process"), tr("User"), tr("Process ID"), tr("GPU"), tr("Memory")}, 0, this)),
      m_table(tableView(QStringLiteral("processTable"), {}, m_model)),
      m_none(secondaryLabel({})) {
  setObjectName(QStringLiteral("processList"));
  m_none->setObjectName(QStringLiteral("noProcesses"));
  m_none->setWordWrap(true);
  m_model->setRightAligned({2, 3, 4});
  m_table->setSelectionMode(QAbstractItemView::NoSelection);
  m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_table->header()->setStretchLastSection(false);
  m_table->hide();
  auto* layout = column(this, 0);
  layout->addWidget(m_none);
  layout->addWidget(m_table);
}

void ProcessList::setProcesses(const std::vector<ProcessReading>& processes, const QString& machine, bool cards) {
  m_none->setText(cards ? tr("Nothing computes on it: no run, and nobody on its graphics cards.")
                        : tr("No run computes on it."));
  m_table->setAccessibleName(tr("Processes on %1").arg(machine));
  if (processes == m_shown) return;
  m_shown = processes;
  // Runs of ours first, then what takes the most of the cards.
  auto sorted = processes;
  std::stable_sort(sorted.begin(), sorted.end(), [](const ProcessReading& a, const ProcessReading& b) {
    if (a.run.isEmpty() != b.run.isEmpty()) return b.run.isEmpty();
    return a.gpuMemory > b.gpuMemory;
  });
  std::vector<TableModel::Row> rows;
  for (const ProcessReading& one : sorted) rows.push_back(rowOf(one));
  m_model->setRows(std::move(rows));
  m_none->setVisible(sorted.empty());
  m_table->setVisible(!sorted.empty());
  fit();
}

void ProcessList::fit() {
  const int rows = std::min(m_model->rowCount(), kMostRows);
  m_table->setFixedHeight((rows + 1) * metrics::kRowHeight + 4);
  const int others = kUserWidth + kNumberWidth + kCardWidth + kMemoryWidth;
  const int bar = m_model->rowCount() > kMostRows ? m_table->verticalScrollBar()->sizeHint().width() : 0;
  const int widths[] = {std::max(90, width() - bar - others), kUserWidth, kNumberWidth, kCardWidth, kMemoryWidth};
  for (int i = 0; i < m_model->columnCount(); ++i) m_table->setColumnWidth(i, widths[i]);
}

void ProcessList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

}  // namespace roadtune::widgets
