// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/module_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_delegate.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"
#include "widgets/common/told_words.h"
#include "widgets/models/module_tree_model.h"
#include "widgets/panels/train/paint_bar.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {
constexpr int kLeast = 190, kLeastName = 150, kMostName = 320;
constexpr int kMostShown = 60;
}  // namespace

ModulePanel::ModulePanel(QWidget* parent)
    : QWidget(parent),
      m_model(new ModuleTreeModel(this)),
      m_view(new QTreeView),
      m_brushes(new PaintBar(m_model)),
      m_name(new ElidedLabel),
      m_nothing(new QLabel),
      m_notes(new QLabel),
      m_languageOnly(plainButton(tr("Language model only"), QStringLiteral("languageOnly"))) {
  setObjectName(QStringLiteral("modulePanel"));
  setMinimumWidth(kLeast);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_name->setFont(secondaryFont());
  m_name->setForegroundRole(QPalette::PlaceholderText);
  m_view->setObjectName(QStringLiteral("moduleTree"));
  m_view->setAccessibleName(tr("What is trained"));
  m_view->setModel(m_model);
  m_view->setFrameShape(QFrame::NoFrame);
  m_view->setUniformRowHeights(true);
  m_view->setExpandsOnDoubleClick(false);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setContextMenuPolicy(Qt::CustomContextMenu);
  m_view->header()->setFont(secondaryFont());
  m_view->header()->setStretchLastSection(false);
  m_view->header()->setSectionResizeMode(ModuleTreeModel::NameColumn, QHeaderView::Stretch);
  m_view->header()->setSectionResizeMode(ModuleTreeModel::StateColumn, QHeaderView::ResizeToContents);
  m_view->header()->setResizeContentsPrecision(0);  // of the rows in sight: there are thousands
  m_view->setTextElideMode(Qt::ElideMiddle);
  for (const int column : {ModuleTreeModel::TrainableColumn, ModuleTreeModel::AllColumn}) {
    m_view->setItemDelegateForColumn(column, new NumberDelegate(m_view));
    m_view->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  m_view->installEventFilter(this);
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  m_nothing->setWordWrap(true);
  m_nothing->setAlignment(Qt::AlignCenter);
  m_nothing->setContentsMargins(24, 24, 24, 24);
  m_nothing->setObjectName(QStringLiteral("moduleNothing"));
  m_notes->setFont(secondaryFont());
  m_notes->setWordWrap(true);
  m_notes->setContentsMargins(12, 8, 12, 8);
  m_languageOnly->setToolTip(tr("Write exclude_modules so that adapters stay off the vision tower"));
  m_languageOnly->hide();
  auto* head = column(nullptr, 0);
  head->setContentsMargins(12, 8, 12, 6);
  auto* title = row();
  title->addWidget(headingLabel(tr("What is trained")), 1);
  title->addWidget(m_brushes->freezeButton());
  head->addLayout(title);
  head->addWidget(m_name);
  auto* layout = column(this, 0);
  layout->addLayout(head);
  layout->addWidget(m_brushes);
  layout->addWidget(m_nothing, 1);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_notes);
  auto* fix = row();
  fix->setContentsMargins(12, 0, 12, 8);
  fix->addWidget(m_languageOnly);
  fix->addStretch(1);
  layout->addLayout(fix);
  connectParts();
}

void ModulePanel::connectParts() {
  connect(m_brushes, &PaintBar::painted, this, &ModulePanel::paint);
  connect(m_brushes, &PaintBar::patternChanged, this, &ModulePanel::showMatches);
  connect(m_brushes, &PaintBar::freezeRequested, this, &ModulePanel::freezeRequested);
  connect(m_languageOnly, &QPushButton::clicked, this, &ModulePanel::languageOnlyRequested);
  connect(m_view, &QTreeView::customContextMenuRequested, this, &ModulePanel::showMenu);
  // The deeper they stand, the more room names need.
  for (const auto& unfolds : {&QTreeView::expanded, &QTreeView::collapsed})
    connect(m_view, unfolds, this, &ModulePanel::shareRoom, Qt::QueuedConnection);
  connect(m_view, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == ModuleTreeModel::StateColumn) cycle(index);
  });
}

void ModulePanel::cycle(const QModelIndex& index) {
  if (!index.isValid()) return;
  emit paintRequested({index.data(ModuleTreeModel::PathRole).toString()},
                      m_brushes->paintOf(m_model->nextMethod(index)));
}

QStringList ModulePanel::selectedPaths() const {
  QStringList paths;
  for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) {
    bool covered = false;  // what is below a selected row goes with it
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent())
      covered |= m_view->selectionModel()->isSelected(above);
    if (!covered) paths << index.data(ModuleTreeModel::PathRole).toString();
  }
  return paths;
}

// What the pattern stands for is opened up to and selected; where it finds a lot, the count has to do.
void ModulePanel::showMatches() {
  const QStringList paths = m_brushes->matches();
  QModelIndex first;
  QItemSelection found;
  for (const QString& path : paths.size() > kMostShown ? QStringList() : paths) {
    const QModelIndex index = m_model->find(path);
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) m_view->expand(above);
    found.select(index, index.siblingAtColumn(m_model->columnCount() - 1));
    if (!first.isValid()) first = index;
  }
  m_view->selectionModel()->select(found, QItemSelectionModel::ClearAndSelect);
  if (first.isValid()) m_view->scrollTo(first, QAbstractItemView::PositionAtCenter);
}

void ModulePanel::paint(const ModulePaint& paint) {
  const QStringList found = m_brushes->matches();
  const QStringList paths = found.isEmpty() ? selectedPaths() : found;
  if (!paths.isEmpty()) emit paintRequested(paths, paint);
}

bool ModulePanel::paintByKey(int key) {
  static const std::pair<int, const char*> kKeys[] = {{Qt::Key_F, "frozen"},   {Qt::Key_T, "full"},
                                                      {Qt::Key_L, "lora"},     {Qt::Key_Q, "qlora"},
                                                      {Qt::Key_Backspace, ""}, {Qt::Key_Delete, ""}};
  for (const auto& [one, method] : kKeys) {
    if (one != key) continue;
    const QStringList paths = selectedPaths();
    if (!paths.isEmpty()) emit paintRequested(paths, m_brushes->paintOf(QLatin1String(method)));
    return true;
  }
  return false;
}

void ModulePanel::showMenu(const QPoint& at) {
  const QStringList paths = selectedPaths();
  if (paths.isEmpty()) return;
  auto* menu = new QMenu(m_view);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](QMenu* to, const QString& text, const ModulePaint& paint) {
    to->addAction(text, this, [this, paths, paint] { emit paintRequested(paths, paint); });
  };
  add(menu, tr("Frozen"), {QStringLiteral("frozen")});
  add(menu, tr("Full"), {QStringLiteral("full")});
  add(menu, tr("LoRA"), m_brushes->paintOf(QStringLiteral("lora")));
  QMenu* ranks = menu->addMenu(tr("LoRA of rank"));
  for (const int rank : {2, 4, 8, 16, 32, 64, 128})
    add(ranks, QString::number(rank), {QStringLiteral("lora"), rank, {}});
  add(menu, tr("LoRA in 4 bits"), m_brushes->paintOf(QStringLiteral("qlora")));
  QMenu* types = menu->addMenu(tr("Computed in"));
  for (const auto& [type, words] : paintTypes()) add(types, words, {.method = {}, .type = type});
  menu->addSeparator();
  add(menu, tr("As the settings say"), {});
  menu->popup(m_view->viewport()->mapToGlobal(at));
}

void ModulePanel::setConfig(const config::RunConfig& config) {
  m_brushes->setFrozen(config.flag("freeze_vision_tower"), config.flag("freeze_multi_modal_projector"),
                       config.flag("freeze_language_model"));
}

// Where there is little room, names and what is trained come first.
void ModulePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  shareRoom();
}

void ModulePanel::shareRoom() {
  const QAbstractItemView* view = m_view;
  const int name = std::clamp(view->sizeHintForColumn(ModuleTreeModel::NameColumn), kLeastName, kMostName);
  int left = width() - name - m_view->header()->sectionSize(ModuleTreeModel::StateColumn);
  for (const int column : {ModuleTreeModel::TrainableColumn, ModuleTreeModel::AllColumn}) {
    left -= std::max(view->sizeHintForColumn(column), m_view->header()->sectionSizeHint(column));
    m_view->setColumnHidden(column, left < 0);
  }
}

bool ModulePanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_view && event->type() == QEvent::KeyPress) {
    const auto* press = static_cast<QKeyEvent*>(event);
    if (press->modifiers() == Qt::NoModifier) {
      if (press->key() == Qt::Key_Space) return cycle(m_view->currentIndex().siblingAtColumn(0)), true;
      if (paintByKey(press->key())) return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void ModulePanel::setEstimate(const TrainEstimate& estimate) {
  m_view->setVisible(estimate.tree != nullptr);
  m_nothing->setVisible(estimate.tree == nullptr);
  m_nothing->setText(estimate.error);
  m_name->setText(estimate.modelName);
  m_model->setTree(estimate.tree);
  if (estimate.tree && m_first) {
    m_first = false;
    m_view->collapseAll();
  }
  shareRoom();  // its figures may be longer
  m_brushes->setEnabled(estimate.tree != nullptr);
  m_brushes->refreshCount();
  refreshNotes(estimate);
}

void ModulePanel::refreshNotes(const TrainEstimate& estimate) {
  QStringList notes;
  bool vision = false, text = false;  // adapters through target_modules, which cannot tell the towers apart
  if (estimate.tree) {
    for (const std::string& note : estimate.tree->notes) notes << verdictWords(note);
    for (const model::Module& module : estimate.tree->modules) {
      vision |= module.lora && module.part == model::Part::Vision;
      text |= module.lora && module.part == model::Part::Text;
    }
  }
  const bool both = vision && text && estimate.tree->method.exclude.empty() && !estimate.tree->method.targets.empty();
  m_languageOnly->setVisible(both);
  m_notes->setForegroundRole(both ? kWarnRole : kQuietRole);
  m_notes->setText(notes.join(QLatin1Char('\n')));
  m_notes->setVisible(!notes.isEmpty());
}

}  // namespace roadtune::widgets
