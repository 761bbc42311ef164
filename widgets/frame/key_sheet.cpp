// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/key_sheet.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace roadtune::widgets {

KeySheet::KeySheet(const QVector<Group>& groups, QWidget* window) : Overlay(window) {
  setObjectName(QStringLiteral("keySheet"));
  auto* layout = column(panel(), 12);
  layout->setContentsMargins(24, 20, 24, 20);
  layout->addWidget(titleLabel(tr("Keys")));
  auto* columns = row(nullptr, 40);
  layout->addLayout(columns, 1);
  QVBoxLayout* side = nullptr;
  for (qsizetype g = 0; g < groups.size(); ++g) {
    if (g == 0 || g == groups.size() / 2) {
      side = column(nullptr, 16);
      side->setAlignment(Qt::AlignTop);
      columns->addLayout(side);  // each as wide as its own words
    }
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(4);
    grid->setHorizontalSpacing(16);
    grid->setColumnStretch(0, 1);
    grid->addWidget(headingLabel(groups[g].title), 0, 0, 1, 2);
    int line = 1;
    for (const auto& [keys, what] : groups[g].keys) {
      grid->addWidget(new ElidedLabel(what), line, 0);
      auto* label = secondaryLabel(keys);
      label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
      grid->addWidget(label, line++, 1);
    }
    side->addLayout(grid);
  }
}

QSize KeySheet::panelSize(const QSize&) const { return panel()->layout()->sizeHint().expandedTo(QSize(720, 320)); }

}  // namespace roadtune::widgets
