// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/side_drawer.h"

#include "widgets/common/controls.h"
#include "widgets/common/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

namespace roadtune::widgets {
namespace {
constexpr int kDrawerWidth = 392;
}

SideDrawer::SideDrawer(QWidget* parent) : QWidget(parent), m_title(titleLabel({})), m_stack(new QStackedWidget) {
  setObjectName(QStringLiteral("dataDrawer"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  setFixedWidth(kDrawerWidth);
  m_title->setObjectName(QStringLiteral("drawerTitle"));
  auto* close = iconButton(QStringLiteral("close"), tr("Close this panel (Esc)"), QStringLiteral("drawerClose"));
  auto* head = row(nullptr, 8);
  head->setContentsMargins(12, 8, 8, 4);
  head->addWidget(m_title, 1);
  head->addWidget(close);
  auto* inside = column(nullptr, 0);
  inside->addLayout(head);
  inside->addWidget(m_stack, 1);
  auto* layout = row(this, 0);
  layout->addWidget(separator(Qt::Vertical));
  layout->addLayout(inside, 1);
  connect(close, &QToolButton::clicked, this, &SideDrawer::close);
  hide();
}

void SideDrawer::add(QWidget* panel, const QString& title) {
  panel->setWindowTitle(title);
  QScrollArea* scroll = verticalScroll(panel);
  scroll->setBackgroundRole(QPalette::Base);
  m_stack->addWidget(scroll);
}

void SideDrawer::show(QWidget* panel) {
  for (int i = 0; i < m_stack->count(); ++i) {
    const auto* scroll = qobject_cast<QScrollArea*>(m_stack->widget(i));
    if (scroll->widget() == panel) m_stack->setCurrentIndex(i);
  }
  m_title->setText(panel->windowTitle());
  setAccessibleName(panel->windowTitle());
  if (QWidget* now = window()->focusWidget(); now && !isAncestorOf(now)) m_before = now;
  emit shownChanged(true);  // first, so that what gives way has gone when this takes room
  setVisible(true);
}

void SideDrawer::close() {
  if (isHidden()) return;
  const bool here = isAncestorOf(window()->focusWidget());
  hide();
  emit shownChanged(false);
  if (!here) return;
  if (m_before && m_before->isVisible())
    m_before->setFocus();
  else
    emit focusLeft();
}

bool SideDrawer::shows(const QWidget* panel) const { return !isHidden() && holds(panel); }

bool SideDrawer::holds(const QWidget* panel) const {
  const auto* scroll = qobject_cast<QScrollArea*>(m_stack->currentWidget());
  return scroll && scroll->widget() == panel;
}

void SideDrawer::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close();
  QWidget::keyPressEvent(event);
}

}  // namespace roadtune::widgets
