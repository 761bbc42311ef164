// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs at the left of the page: its filter, its keys, its menu.
#include "widgets/common/controls.h"
#include "widgets/common/line_prompt.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/queue_panel.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/run_list.h"
#include "widgets/panels/runs/run_menu.h"
#include "widgets/panels/runs/run_row_delegate.h"
#include "widgets/panels/runs/runs_page.h"

#include <QActionGroup>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {

QWidget* RunsPage::makeList() {
  auto* side = surface(QStringLiteral("runListPanel"));
  side->setMinimumWidth(200);
  m_filter = searchField(tr("Filter runs"), QStringLiteral("runFilter"));
  m_list = new RunList;
  m_list->setObjectName(QStringLiteral("runList"));
  m_list->setAccessibleName(tr("Runs"));
  m_list->setModel(m_proxy);
  m_list->setItemDelegate(new RunRowDelegate(m_list));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setUniformItemSizes(true);
  m_list->setMouseTracking(true);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->installEventFilter(this);
  leaveByEscape(m_filter, [this] { m_list->setFocus(); });
  auto* title = row();
  title->setContentsMargins(12, 8, 8, 4);
  title->addWidget(titleLabel(tr("Runs")), 1);
  auto* add = iconButton(QStringLiteral("folder"), tr("Show runs of another folder or machine"),
                         QStringLiteral("addRunsFolder"));
  auto* ways = new QMenu(add);
  ways->addAction(tr("Watch another folder…"), this, &RunsPage::addFolderRequested);
  m_machines = ways->addMenu(tr("Find runs on a machine"));
  m_machines->setToolTipsVisible(true);
  m_machines->menuAction()->setToolTip(tr("Those that were started from another machine are followed from here, too"));
  add->setMenu(ways);
  m_order = makeOrder();
  title->addWidget(m_order);
  title->addWidget(add);
  auto* search = row();
  search->setContentsMargins(12, 0, 12, 8);
  search->addWidget(m_filter);
  auto* layout = column(side, 0);
  layout->addLayout(title);
  layout->addLayout(search);
  m_queue = new QueuePanel;
  auto* split = new QSplitter(Qt::Vertical);
  split->setObjectName(QStringLiteral("runsQueue"));
  m_rows = new QStackedWidget;
  m_rows->addWidget(m_list);
  m_rows->addWidget(makeNoMatch());
  split->addWidget(m_rows);
  split->addWidget(m_queue);
  split->setStretchFactor(0, 1);
  split->setSizes({500, 170});
  split->setChildrenCollapsible(false);
  layout->addWidget(split, 1);
  connect(m_model, &RunListModel::marksChanged, this, [this](const QString& path) {
    if (m_beside.contains(path) || (path == m_selected && !m_beside.isEmpty())) emit requestChanged();
  });
  connect(m_filter, &QLineEdit::textChanged, this, &RunsPage::filter);
  connectList();
  return side;
}

QToolButton* RunsPage::makeOrder() {
  auto* button = iconButton(QStringLiteral("sort"), tr("Order of the runs"), QStringLiteral("runOrder"));
  auto* menu = new QMenu(button);
  auto* group = new QActionGroup(menu);
  for (const RunOrderWords& one : runOrders()) {
    QAction* action = menu->addAction(one.text);
    action->setCheckable(true);
    action->setChecked(one.order == m_model->order());
    action->setData(static_cast<int>(one.order));
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, order = one.order] {
      setOrder(order);
      emit orderChosen(order);
    });
  }
  button->setMenu(menu);
  return button;
}

void RunsPage::setOrder(RunOrder order) {
  for (QAction* action : m_order->menu()->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(order));
  m_filtering = true;
  m_model->setOrder(order);
  placeCursor();
  m_filtering = false;
  m_list->scrollTo(m_list->currentIndex());
}

QWidget* RunsPage::makeNoMatch() {
  auto* words = secondaryLabel(tr("No run matches. Esc clears the filter."));
  words->setObjectName(QStringLiteral("noRunMatches"));
  words->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  words->setWordWrap(true);
  words->setMargin(12);
  return words;
}

void RunsPage::showWhetherAny() {
  m_rows->setCurrentIndex(m_proxy->rowCount() == 0 && !m_filter->text().isEmpty() ? 1 : 0);
}

// What is selected is on show; the cursor may be moved alone.
void RunsPage::connectList() {
  connect(m_list, &RunList::customContextMenuRequested, this, &RunsPage::showContextMenu);
  connect(m_list, &RunList::toggled, this,
          [this](const QModelIndex& index) { toggleBeside(index.data(RunListModel::PathRole).toString()); });
  auto* rows = m_list->selectionModel();
  connect(rows, &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& now) {
    if (m_filtering || now.isEmpty()) return;
    const QString path = now.indexes().constFirst().data(RunListModel::PathRole).toString();
    if (!path.isEmpty() && path != m_selected) selectRun(path);
  });
  connect(rows, &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (!m_filtering && index.isValid()) m_cursor = index.data(RunListModel::PathRole).toString();
  });
  connect(m_proxy, &QAbstractItemModel::modelReset, this, &RunsPage::placeCursor);
}

QModelIndex RunsPage::rowOf(const QString& folder) const {
  return m_proxy->mapFromSource(m_model->index(m_model->rowOf(folder)));
}

// After the rows have changed: the run on show is marked, and the cursor is where it was.
void RunsPage::placeCursor() {
  auto* rows = m_list->selectionModel();
  const QModelIndex shown = rowOf(m_selected), cursor = rowOf(m_cursor);
  if (!shown.isValid())
    rows->clearSelection();
  else if (!rows->isSelected(shown))
    rows->select(shown, QItemSelectionModel::ClearAndSelect);
  rows->setCurrentIndex(cursor.isValid() ? cursor : shown, QItemSelectionModel::NoUpdate);
}

// The run on show stays on show, also while the list does not have it.
void RunsPage::filter(const QString& text) {
  m_filtering = true;
  m_proxy->setFilterFixedString(text);
  placeCursor();
  m_filtering = false;
  showWhetherAny();
}

void RunsPage::toggleBeside(const QString& folder) {
  constexpr qsizetype kMost = 6;  // as many colours as can be told apart
  if (folder == m_selected || folder.isEmpty()) return;
  if (m_beside.removeAll(folder) == 0 && m_beside.size() < kMost) m_beside << folder;
  m_model->setBeside(m_selected, m_beside);
  emit requestChanged();
}

bool RunsPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_list && event->type() == QEvent::KeyPress && m_list->currentIndex().isValid()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QString path = m_list->currentIndex().data(RunListModel::PathRole).toString();
    if (key == Qt::Key_Space) return toggleBeside(path), true;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return selectRun(path), true;
    if (key == Qt::Key_P) return m_model->togglePinned(path), true;
    if (key == Qt::Key_T) return emit tagRequested(path), true;
    if (key == Qt::Key_Delete) return emit deleteRequested(path), true;
  }
  if (watched == m_notice && (event->type() == QEvent::Show || event->type() == QEvent::Hide ||
                              event->type() == QEvent::LayoutRequest))  // it says something else
    m_header->setNotice(m_notice->text());
  return QWidget::eventFilter(watched, event);
}

void RunsPage::setRuns(const std::vector<runs::RunEntry>& runs) {
  const bool known = m_model->rowOf(m_selected) >= 0;
  const int row = rowOf(m_selected).row();
  m_filtering = true;
  m_model->setRuns(runs);
  if (!known && m_model->rowOf(m_selected) >= 0) m_cursor = m_selected;  // it was on show before the list had it
  placeCursor();
  m_filtering = false;
  if (known && m_model->rowOf(m_selected) < 0) showRow(std::clamp(row, 0, std::max(0, m_proxy->rowCount() - 1)));
  showWhetherAny();
  updateEmptyState();
}

void RunsPage::leaveRun(const QString& folder) {
  if (folder != m_selected) return;
  const int row = rowOf(folder).row();
  showRow(row + 1 < m_proxy->rowCount() ? row + 1 : row - 1);
}

void RunsPage::showRow(int row) {
  const QModelIndex next = m_proxy->index(row, 0);
  if (next.isValid()) return selectRun(next.data(RunListModel::PathRole).toString());
  m_selected.clear();
  m_header->expect({});
  updateEmptyState();
}

LinePrompt* RunsPage::ask(const QString& folder, LineQuestion question) {
  const QModelIndex run = rowOf(folder);
  m_list->scrollTo(run);
  const QRect place = run.isValid() ? m_list->visualRect(run) : QRect(0, 0, 1, 1);
  return new LinePrompt(m_list->viewport(), place, std::move(question));
}

void RunsPage::focusFilter() {
  m_filter->setFocus();
  m_filter->selectAll();
}

void RunsPage::focusMain() { m_list->isVisible() ? m_list->setFocus() : setFocus(); }

// How a run that is over goes on: from a checkpoint, or anew where there is none. One that is not holds and goes on.
void RunsPage::addGoingOn(QMenu& menu, const QModelIndex& run) {
  const QString path = run.data(RunListModel::PathRole).toString();
  const auto state = static_cast<runs::RunState>(run.data(RunListModel::StateRole).toInt());
  const bool saved = run.data(RunListModel::ResumableRole).toBool();
  QAction* resume = menu.addAction(tr("Resume"), this, [this, path] { emit resumeRequested(path); });
  resume->setObjectName(QStringLiteral("runResume"));
  resume->setEnabled(state != runs::RunState::Running && saved);
  if (state == runs::RunState::Running && !run.data(RunListModel::ForeignRole).toBool()) {
    const bool paused = run.data(RunListModel::PausedRole).toBool();
    menu.addAction(paused ? RunHeader::tr("Continue") : RunHeader::tr("Pause"), this,
                   [this, path, paused] { emit pauseRequested(path, !paused); })
        ->setObjectName(QStringLiteral("runPause"));
  }
  if (saved || run.data(RunListModel::ForeignRole).toBool() || !isBroken(state)) return;
  menu.addAction(tr("Start again"), this, [this, path] { emit restartRequested(path); })
      ->setObjectName(QStringLiteral("runAgain"));
}

void RunsPage::showContextMenu(const QPoint& at) {
  const QModelIndex index = m_list->indexAt(at);
  if (!index.isValid()) return;
  const QString path = index.data(RunListModel::PathRole).toString();
  auto* menu = new QMenu(m_list);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addMarkActions(*menu, *m_model, path, [this, path] { emit tagRequested(path); });
  if (path != m_selected && !m_selected.isEmpty()) {
    menu->addAction(
        m_beside.contains(path) ? tr("No longer beside the run on show") : tr("Show beside the run on show"), this,
        [this, path] { toggleBeside(path); });
  }
  const bool running = index.data(RunListModel::StateRole).toInt() == static_cast<int>(runs::RunState::Running);
  addGoingOn(*menu, index);
  menu->addAction(tr("Rename…"), this, [this, path] { emit renameRequested(path); });
  menu->addAction(tr("Open folder"), this, [this, path] { emit openFolderRequested(path); });
  menu->addSeparator();
  addResultActions(*menu, index.data(RunListModel::ForeignRole).toBool(),
                   [this, path](RunResult kind) { emit resultRequested(kind, path); });
  menu->addSeparator();
  menu->addAction(tr("Move to the trash"), this, [this, path] { emit deleteRequested(path); })->setEnabled(!running);
  menu->popup(m_list->viewport()->mapToGlobal(at));
}

}  // namespace roadtune::widgets
