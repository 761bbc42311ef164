// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/module_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_delegate.h"
#include "widgets/common/theme.h"
#include "widgets/models/module_tree_model.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

namespace roadtune::widgets {

ModulePanel::ModulePanel(QWidget* parent)
    : QWidget(parent), m_model(new ModuleTreeModel(this)), m_view(new QTreeView), m_name(new ElidedLabel), m_nothing(new QLabel), m_notes(new QLabel) {
  setObjectName(QStringLiteral("modulePanel"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  setMinimumWidth(300);
  m_name->setFont(secondaryFont());
  m_name->setForegroundRole(QPalette::PlaceholderText);
  m_view->setObjectName(QStringLiteral("moduleTree"));
  m_view->setAccessibleName(tr("What is trained"));
  m_view->setModel(m_model);
  m_view->setFrameShape(QFrame::NoFrame);
  m_view->setUniformRowHeights(true);
  m_view->setExpandsOnDoubleClick(false);
  m_view->header()->setFont(secondaryFont());
  m_view->header()->setStretchLastSection(false);
  m_view->header()->setSectionResizeMode(ModuleTreeModel::NameColumn, QHeaderView::Stretch);
  m_view->setColumnWidth(ModuleTreeModel::StateColumn, 84);
  m_view->setColumnWidth(ModuleTreeModel::TrainableColumn, 84);
  m_view->setColumnWidth(ModuleTreeModel::AllColumn, 96);
  for (const int column : {ModuleTreeModel::TrainableColumn, ModuleTreeModel::AllColumn}) m_view->setItemDelegateForColumn(column, new NumberDelegate(m_view));
  m_view->installEventFilter(this);
  m_nothing->setForegroundRole(QPalette::PlaceholderText);
  m_nothing->setWordWrap(true);
  m_nothing->setAlignment(Qt::AlignCenter);
  m_nothing->setContentsMargins(24, 24, 24, 24);
  m_nothing->setObjectName(QStringLiteral("moduleNothing"));
  m_notes->setFont(secondaryFont());
  m_notes->setWordWrap(true);
  m_notes->setForegroundRole(QPalette::PlaceholderText);
  m_notes->setContentsMargins(12, 8, 12, 8);
  auto* head = column(nullptr, 0);
  head->setContentsMargins(12, 8, 12, 6);
  head->addWidget(headingLabel(tr("What is trained")));
  head->addWidget(m_name);
  auto* layout = column(this, 0);
  layout->addLayout(head);
  layout->addWidget(m_nothing, 1);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_notes);
  connect(m_view, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == ModuleTreeModel::StateColumn) cycle(index);
  });
}

void ModulePanel::cycle(const QModelIndex& index) {
  if (!index.isValid()) return;
  const auto mode = nextMode(static_cast<TrainMode>(index.data(ModuleTreeModel::ModeRole).toInt()));
  const char* method = mode == TrainMode::Full ? "full" : mode == TrainMode::Lora ? "lora" : "frozen";
  emit modeRequested(index.data(ModuleTreeModel::PathRole).toString(), QLatin1String(method));
}

bool ModulePanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_view && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
    cycle(m_view->currentIndex().siblingAtColumn(0));
    return true;
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
  QStringList notes;
  if (estimate.tree) {
    for (const std::string& note : estimate.tree->notes) notes << QString::fromStdString(note);
  }
  m_notes->setText(notes.join(QLatin1Char('\n')));
  m_notes->setVisible(!notes.isEmpty());
}

}  // namespace roadtune::widgets
