// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/folder_rows.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::studio {
namespace {
constexpr int kLeastHeight = 28, kMostHeight = 200;
}

FolderRows::FolderRows(QWidget* parent) : QScrollArea(parent) {
  setObjectName(QStringLiteral("runFolders"));
  setAccessibleName(tr("Folders with runs"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  auto* inside = new QWidget;
  m_rows = widgets::column(inside, 4);
  m_rows->setAlignment(Qt::AlignTop);
  setWidget(inside);
  inside->setAutoFillBackground(false);  // it lies on the panel's own ground
  viewport()->setAutoFillBackground(false);
}

void FolderRows::setFolders(const QStringList& folders, const QStringList& fixed) {
  while (QLayoutItem* item = m_rows->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();  // its button may be the one that was clicked
    delete item;
  }
  for (const QString& folder : folders) m_rows->addWidget(makeRow(folder, !fixed.contains(folder)));
  updateGeometry();
}

QSize FolderRows::sizeHint() const {
  return {QScrollArea::sizeHint().width(), std::clamp(m_rows->sizeHint().height(), kLeastHeight, kMostHeight)};
}

QSize FolderRows::minimumSizeHint() const { return {QScrollArea::minimumSizeHint().width(), kLeastHeight}; }

QWidget* FolderRows::makeRow(const QString& folder, bool removable) {
  auto* whole = new QWidget;
  auto* line = widgets::row(whole, 8);
  auto* path = new widgets::ElidedLabel(folder);
  path->setToolTip(folder);
  line->addWidget(path, 1);
  if (!removable) return whole;
  auto* remove = widgets::plainButton(tr("Remove"), QStringLiteral("removeFolder_") + folder);
  remove->setAccessibleName(tr("Look for runs in %1 no more").arg(folder));
  line->addWidget(remove);
  connect(remove, &QPushButton::clicked, this, [this, folder] { emit removeRequested(folder); });
  return whole;
}

}  // namespace roadtune::studio
