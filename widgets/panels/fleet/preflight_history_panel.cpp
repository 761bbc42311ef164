// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/preflight_history_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/table_view.h"
#include "widgets/common/theme.h"
#include "widgets/models/table_model.h"
#include "widgets/panels/fleet/changed_marks.h"
#include "widgets/panels/fleet/preflight_model.h"
#include "widgets/panels/fleet/preflight_panel.h"

#include <QDateTime>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

constexpr int kMostRows = 6, kWhenWidth = 170, kResultWidth = 200, kChangedWidth = 260, kCheckWidth = 150;
constexpr int kLeastCell = 260;

QString whenText(double when) {
  return QLocale().toString(QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(when * 1000)), QLocale::ShortFormat);
}

QString machinesText(const PreflightMatrix& matrix) {
  QStringList all;
  for (const PreflightColumn& machine : matrix.machines) all << machineTitle(machine.host);
  return all.join(QStringLiteral(", "));
}

QString changesText(const PreflightChanges& changes) {
  QStringList all;
  for (const auto& [place, before] : changes)
    all << (place.first.isEmpty() ? checkTitle(place.second)
                                  : QStringLiteral("%1: %2").arg(machineTitle(place.first), checkTitle(place.second)));
  return all.join(QStringLiteral(", "));
}

TableModel::Tone toneOf(const PreflightMatrix& matrix) {
  const bool usable = std::all_of(matrix.machines.begin(), matrix.machines.end(),
                                  [](const PreflightColumn& machine) { return machine.usable(); });
  return usable ? TableModel::Tone::Plain : TableModel::Tone::Bad;
}

QTreeView* narrowTable(const QString& name, const QString& title, QAbstractItemModel* model) {
  QTreeView* table = tableView(name, title, model);
  table->header()->setStretchLastSection(false);
  return table;
}

}  // namespace

PreflightHistoryPanel::PreflightHistoryPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new TableModel({tr("When"), tr("Machines"), tr("Result"), tr("Changed since the time before")}, 2, this)),
      m_marks(new ChangedMarks(this)),
      m_list(narrowTable(QStringLiteral("preflightHistory"), tr("Earlier checks"), m_model)),
      m_table(nullptr),
      m_old(nullptr),
      m_empty(secondaryLabel(tr("Checks of your machines are kept here with their dates, so that it shows what has "
                                "changed on a machine since it last worked."))),
      m_title(headingLabel({})) {
  setObjectName(QStringLiteral("preflightHistoryPanel"));
  m_marks->setSourceModel(new PreflightModel(this));
  m_table = narrowTable(QStringLiteral("preflightThen"), tr("The chosen check"), m_marks);
  m_table->setSelectionMode(QAbstractItemView::NoSelection);
  m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_empty->setObjectName(QStringLiteral("preflightHistoryEmpty"));
  m_empty->setWordWrap(true);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->setToolTip(tr("Enter shows a check, Delete takes it out of the list"));
  m_list->installEventFilter(this);
  m_old = makeOld();
  m_old->hide();
  auto* layout = column(this, 6);
  layout->addWidget(headingLabel(tr("Earlier checks")));
  layout->addWidget(m_empty);
  layout->addWidget(m_list);
  layout->addWidget(m_old);
  m_list->hide();
  connectList();
}

QWidget* PreflightHistoryPanel::makeOld() {
  auto* old = new QWidget;
  auto* layout = column(old, 6);
  layout->setContentsMargins(0, 8, 0, 0);
  auto* head = row(nullptr, 8);
  m_title->setObjectName(QStringLiteral("preflightThenTitle"));
  auto* remove =
      iconButton(QStringLiteral("close"), tr("Close the chosen check"), QStringLiteral("preflightThenClose"));
  head->addWidget(m_title, 1);
  head->addWidget(remove);
  layout->addLayout(head);
  layout->addWidget(m_table);
  connect(remove, &QToolButton::clicked, this, &PreflightHistoryPanel::close);
  return old;
}

void PreflightHistoryPanel::connectList() {
  connect(m_list, &QTreeView::clicked, this, &PreflightHistoryPanel::showCurrent);
  connect(m_list, &QTreeView::activated, this, &PreflightHistoryPanel::showCurrent);
  connect(m_list, &QTreeView::customContextMenuRequested, this, &PreflightHistoryPanel::showMenu);
}

void PreflightHistoryPanel::setRecords(PreflightRecords records) {
  m_records = std::move(records);
  std::vector<TableModel::Row> rows;
  for (std::size_t i = m_records.size(); i-- > 0;) {
    const PreflightMatrix& matrix = m_records[i].matrix;
    const QString changes = changesText(changesAt(m_records, i));
    rows.push_back({{whenText(m_records[i].when), machinesText(matrix), preflightSummary(matrix),
                     changes.isEmpty() && i > 0 ? tr("nothing") : changes},
                    toneOf(matrix),
                    {},
                    changes});
  }
  m_empty->setVisible(rows.empty());
  m_list->setVisible(!rows.empty());
  m_model->setRows(std::move(rows));
  close();
  fit();
}

void PreflightHistoryPanel::showCurrent() {
  const QModelIndex current = m_list->currentIndex();
  if (!current.isValid()) return;
  const std::size_t at = recordAt(current.row());
  m_marks->setRecord(m_records, at);
  m_title->setText(tr("Check of %1").arg(whenText(m_records[at].when)));
  m_old->show();
  fit();
}

void PreflightHistoryPanel::close() {
  if (m_old->isAncestorOf(focusWidget())) m_list->setFocus();
  m_old->hide();
}

void PreflightHistoryPanel::showMenu(const QPoint& at) {
  const QModelIndex index = m_list->indexAt(at);
  if (!index.isValid()) return;
  m_list->setCurrentIndex(index);
  auto* menu = new QMenu(m_list);
  menu->setObjectName(QStringLiteral("preflightHistoryMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Show this check"), this, &PreflightHistoryPanel::showCurrent)->setShortcut(Qt::Key_Return);
  menu->addSeparator();
  const double when = m_records[recordAt(index.row())].when;
  menu->addAction(tr("Take out of the list"), this, [this, when] { emit removeRequested(when); })
      ->setShortcut(Qt::Key_Delete);
  menu->addAction(tr("Take out all of them"), this, &PreflightHistoryPanel::removeAllRequested);
  menu->popup(m_list->viewport()->mapToGlobal(at));
}

bool PreflightHistoryPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_list && event->type() == QEvent::KeyPress && m_list->currentIndex().isValid()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Delete) {
      emit removeRequested(m_records[recordAt(m_list->currentIndex().row())].when);
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return showCurrent(), true;
    if (key == Qt::Key_Escape && m_old->isVisible()) return close(), true;
  }
  return QWidget::eventFilter(watched, event);
}

void PreflightHistoryPanel::fit() {
  const int shown = std::min(m_model->rowCount(), kMostRows);
  m_list->setFixedHeight((shown + 1) * metrics::kRowHeight + 4);
  const int bar = m_model->rowCount() > kMostRows ? m_list->verticalScrollBar()->sizeHint().width() : 0;
  const int rest = width() - bar - kWhenWidth - kResultWidth;
  m_list->setColumnWidth(0, kWhenWidth);
  m_list->setColumnWidth(1, std::max(140, rest - std::max(kChangedWidth, rest / 2)));
  m_list->setColumnWidth(2, kResultWidth);
  m_list->setColumnWidth(3, std::max(kChangedWidth, rest / 2));
  const int machines = std::max(1, m_marks->columnCount() - 1);
  const int wide = std::max(kLeastCell, (width() - kCheckWidth) / machines);
  m_table->setColumnWidth(0, kCheckWidth);
  for (int i = 1; i <= machines; ++i) m_table->setColumnWidth(i, wide);
  const bool scrolls = kCheckWidth + machines * wide > width();
  const int below = scrolls ? m_table->horizontalScrollBar()->sizeHint().height() : 0;
  m_table->setFixedHeight((m_marks->rowCount() + 1) * metrics::kRowHeight + 4 + below);
}

void PreflightHistoryPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

}  // namespace roadtune::widgets
