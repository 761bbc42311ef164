// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/queue_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/icons.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"
#include "widgets/panels/runs/queue_list.h"
#include "widgets/panels/runs/queue_row_delegate.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

using policy::JobState;

JobState stateAt(const QModelIndex& index) { return static_cast<JobState>(index.data(QueueModel::StateRole).toInt()); }
bool isOver(JobState state) { return state != JobState::Waiting && state != JobState::Running; }

}  // namespace

QueuePanel::QueuePanel(QWidget* parent)
    : QWidget(parent),
      m_model(new QueueModel(this)),
      m_list(new QueueList),
      m_stack(new QStackedWidget),
      m_state(new ElidedLabel),
      m_trouble(secondaryLabel({})),
      m_work(iconButton(QStringLiteral("play"), tr("Start the runs of the queue when their turn comes"),
                        QStringLiteral("queueWork"))) {
  setObjectName(QStringLiteral("queuePanel"));
  m_state->setObjectName(QStringLiteral("queueState"));
  m_state->setFont(secondaryFont());
  m_state->setForegroundRole(QPalette::PlaceholderText);
  m_trouble->setObjectName(QStringLiteral("queueTrouble"));
  m_trouble->setForegroundRole(kBadRole);
  m_trouble->setWordWrap(true);
  m_trouble->setContentsMargins(12, 0, 12, 6);
  m_trouble->hide();
  m_work->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_list->setObjectName(QStringLiteral("queueList"));
  m_list->setAccessibleName(tr("Queue"));
  m_list->setModel(m_model);
  m_list->setItemDelegate(new QueueRowDelegate(m_list));
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->installEventFilter(this);
  m_stack->addWidget(makeEmpty());
  m_stack->addWidget(m_list);
  auto* head = row();
  head->setContentsMargins(12, 6, 8, 4);
  head->addWidget(headingLabel(tr("Queue")));
  head->addWidget(m_state, 1);
  head->addWidget(m_work);
  auto* layout = column(this, 0);
  layout->addLayout(head);
  layout->addWidget(m_trouble);
  layout->addWidget(m_stack, 1);
  connectList();
  refreshHead();
}

QWidget* QueuePanel::makeEmpty() {
  auto* empty = new QWidget;
  auto* text = secondaryLabel(
      tr("Runs put in here start one after the other, each when its machines are free. Set one up, then press Queue."));
  text->setObjectName(QStringLiteral("queueEmpty"));
  text->setWordWrap(true);
  auto* train = plainButton(tr("Set up a run"), QStringLiteral("queueTrain"));
  auto* layout = column(empty, 8);
  layout->setContentsMargins(12, 0, 12, 12);
  layout->addWidget(text);
  layout->addWidget(train, 0, Qt::AlignLeft);
  layout->addStretch(1);
  connect(train, &QPushButton::clicked, this, &QueuePanel::trainRequested);
  return empty;
}

void QueuePanel::connectList() {
  connect(m_work, &QToolButton::clicked, this, [this] { emit workRequested(!m_worked); });
  connect(m_model, &QueueModel::moveRequested, this, &QueuePanel::moveRequested);
  connect(m_list, &QueueList::customContextMenuRequested, this, &QueuePanel::showMenu);
  connect(m_list, &QueueList::doubleClicked, this,
          [this](const QModelIndex& index) { emit runRequested(index.data(QueueModel::FolderRole).toString()); });
}

void QueuePanel::setView(const QueueView& view) {
  const auto current = m_list->currentIndex().data(QueueModel::IdRole).toLongLong();
  m_model->setEntries(view.entries);
  if (const int row = m_model->rowOf(current); row >= 0) m_list->setCurrentIndex(m_model->index(row));
  m_worked = view.worked;
  if (!view.trouble.isEmpty()) setTrouble(view.trouble);
  refreshHead();
}

void QueuePanel::setTrouble(const QString& text) {
  m_trouble->setText(text);
  m_trouble->setVisible(!text.isEmpty());
}

void QueuePanel::refreshHead() {
  const bool any = m_model->rowCount() > 0;
  m_stack->setCurrentIndex(any ? 1 : 0);
  m_work->setVisible(any || m_worked);
  m_work->setIcon(icon(m_worked ? QStringLiteral("pause") : QStringLiteral("play")));
  m_work->setText(m_worked ? tr("Pause") : tr("Start"));
  m_work->setToolTip(m_worked ? tr("Start no further run; what runs goes on")
                              : tr("Start the runs of the queue when their turn comes"));
  m_work->setAccessibleName(m_work->toolTip());
  const int waiting = m_model->waiting();
  m_state->setText(waiting == 0 ? QString()
                   : m_worked   ? tr("%1 waiting").arg(waiting)
                                : tr("%1 waiting, paused").arg(waiting));
}

bool QueuePanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_list && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (pressed(key->key(), key->modifiers())) return true;
  }
  return QWidget::eventFilter(watched, event);
}

bool QueuePanel::pressed(int key, Qt::KeyboardModifiers modifiers) {
  const QModelIndex current = m_list->currentIndex();
  if (!current.isValid()) return false;
  if (modifiers == Qt::AltModifier && (key == Qt::Key_Up || key == Qt::Key_Down))
    return shift(key == Qt::Key_Up ? -1 : 1), true;
  if (modifiers != Qt::NoModifier) return false;
  switch (key) {
    case Qt::Key_Delete: return removeCurrent(), true;
    case Qt::Key_Return:
    case Qt::Key_Enter: return emit runRequested(current.data(QueueModel::FolderRole).toString()), true;
    case Qt::Key_A:
      if (current.data(QueueModel::AsksRole).toBool()) emit answerRequested();
      return true;
    case Qt::Key_R:
      if (isOver(stateAt(current))) emit retryRequested(current.data(QueueModel::IdRole).toLongLong());
      return true;
    default: return false;
  }
}

// A row goes before the one above it, or behind the one below it.
void QueuePanel::shift(int by) {
  const int row = m_list->currentIndex().row();
  m_model->moveRows({}, row, 1, {}, by < 0 ? row - 1 : row + 2);
}

void QueuePanel::removeCurrent() {
  emit removeRequested({m_list->currentIndex().data(QueueModel::IdRole).toLongLong()});
}

void QueuePanel::showMenu(const QPoint& at) {
  const QModelIndex index = m_list->indexAt(at);
  if (!index.isValid()) return;
  m_list->setCurrentIndex(index);
  const JobState state = stateAt(index);
  const qint64 id = index.data(QueueModel::IdRole).toLongLong();
  auto* menu = new QMenu(m_list);
  menu->setObjectName(QStringLiteral("queueMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [menu](const QString& text, const QKeySequence& keys, bool possible, auto&& call) {
    QAction* action = menu->addAction(text, menu, std::forward<decltype(call)>(call));
    action->setShortcut(keys);
    action->setEnabled(possible);
  };
  const int place = index.data(QueueModel::PlaceRole).toInt();
  add(tr("Show the run"), Qt::Key_Return, true,
      [this, folder = index.data(QueueModel::FolderRole).toString()] { emit runRequested(folder); });
  if (index.data(QueueModel::AsksRole).toBool())
    add(tr("Answer…"), Qt::Key_A, true, [this] { emit answerRequested(); });
  add(tr("Earlier"), Qt::ALT | Qt::Key_Up, place > 1, [this] { shift(-1); });
  add(tr("Later"), Qt::ALT | Qt::Key_Down, place > 0 && place < m_model->waiting(), [this] { shift(1); });
  add(tr("Try again"), Qt::Key_R, isOver(state), [this, id] { emit retryRequested(id); });
  menu->addSeparator();
  add(tr("Take out of the queue"), Qt::Key_Delete, state != JobState::Running,
      [this, id] { emit removeRequested({id}); });
  QList<qint64> over;
  for (const QueueEntry& entry : m_model->entries())
    if (isOver(entry.state)) over << entry.id;
  add(tr("Take out what has ended"), {}, !over.isEmpty(), [this, over] { emit removeRequested(over); });
  menu->popup(m_list->viewport()->mapToGlobal(at));
}

}  // namespace roadtune::widgets
