// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/key_sheet.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/theme.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {
constexpr int kMargin = 24;
constexpr int kBar = 12;  // at the right, where it scrolls
}  // namespace

KeySheet::KeySheet(const QVector<Group>& groups, QWidget* window)
    : Overlay(window), m_scroll(verticalScroll(new QWidget)) {
  setObjectName(QStringLiteral("keySheet"));
  auto* layout = column(panel(), 12);
  layout->setContentsMargins(kMargin, 20, kMargin, 20);
  auto* head = row();
  auto* documentation = plainButton(tr("Documentation"), QStringLiteral("sheetDocumentation"));
  head->addWidget(titleLabel(tr("Keys")), 1);
  head->addWidget(documentation);
  layout->addLayout(head);
  connect(documentation, &QPushButton::clicked, this, [this] {
    close();
    emit documentationRequested();
  });
  layout->addWidget(m_scroll, 1);
  m_scroll->viewport()->setAutoFillBackground(false);
  m_scroll->widget()->setAutoFillBackground(false);
  auto* columns = row(m_scroll->widget(), 40);
  columns->setContentsMargins(0, 0, kBar, 0);
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

// All of it where there is room; else the groups scroll below the title.
QSize KeySheet::panelSize(const QSize& window) const {
  const QSize inside = m_scroll->widget()->sizeHint();
  const int height = panel()->layout()->sizeHint().height() - m_scroll->sizeHint().height() + inside.height();
  const int bar = height > window.height() - kBeside ? m_scroll->verticalScrollBar()->sizeHint().width() : 0;
  return QSize(2 * kMargin + inside.width() + bar, height).expandedTo(QSize(720, 320));
}

void KeySheet::onOpen() { m_scroll->verticalScrollBar()->setValue(0); }

// The sheet has nothing else that arrows, Page Up and Page Down could mean.
void KeySheet::keyPressEvent(QKeyEvent* event) {
  static const QSet<int> kScrolls{Qt::Key_Up,       Qt::Key_Down, Qt::Key_PageUp,
                                  Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End};
  if (!kScrolls.contains(event->key())) return Overlay::keyPressEvent(event);
  QCoreApplication::sendEvent(m_scroll->verticalScrollBar(), event);
  event->accept();
}

}  // namespace roadtune::widgets
