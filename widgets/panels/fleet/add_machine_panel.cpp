// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/add_machine_panel.h"

#include "widgets/common/controls.h"

#include <QCompleter>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace roadtune::widgets {

AddMachinePanel::AddMachinePanel(QWidget* window)
    : Overlay(window),
      m_list(new QListWidget),
      m_typed(new QLineEdit),
      m_group(new QLineEdit),
      m_add(primaryButton(tr("Add"), QStringLiteral("addMachineAdd"))) {
  setObjectName(QStringLiteral("addMachinePanel"));
  m_list->setObjectName(QStringLiteral("addMachineList"));
  m_list->setAccessibleName(tr("Machines of your ssh configuration"));
  m_list->setFrameShape(QFrame::StyledPanel);
  m_typed->setObjectName(QStringLiteral("addMachineName"));
  m_typed->setAccessibleName(tr("Machine"));
  m_typed->setPlaceholderText(tr("user@machine:22, or a name of ~/.ssh/config"));
  m_group->setObjectName(QStringLiteral("addMachineGroup"));
  m_group->setAccessibleName(tr("Group"));
  m_group->setPlaceholderText(tr("none"));
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(16);
  grid->setVerticalSpacing(8);
  grid->addWidget(new QLabel(tr("Machine")), 0, 0);
  grid->addWidget(m_typed, 0, 1);
  grid->addWidget(new QLabel(tr("Group")), 1, 0);
  grid->addWidget(m_group, 1, 1);
  auto* note = secondaryLabel(tr("Keys, users, ports and jump hosts are taken from your ssh configuration."));
  note->setWordWrap(true);
  auto* cancel = plainButton(tr("Cancel"), QStringLiteral("addMachineCancel"));
  auto* buttons = row();
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(m_add);
  auto* layout = column(panel(), 12);
  layout->setContentsMargins(24, 20, 24, 20);
  layout->addWidget(titleLabel(tr("Add machines")));
  layout->addWidget(m_list, 1);
  layout->addLayout(grid);
  layout->addWidget(note);
  layout->addLayout(buttons);
  const auto refresh = [this] { m_add->setEnabled(!names().isEmpty()); };
  connect(m_list, &QListWidget::itemChanged, this, refresh);
  connect(m_typed, &QLineEdit::textChanged, this, refresh);
  connect(m_typed, &QLineEdit::returnPressed, this, &AddMachinePanel::accept);
  connect(m_add, &QPushButton::clicked, this, &AddMachinePanel::accept);
  connect(cancel, &QPushButton::clicked, this, &Overlay::close);
}

void AddMachinePanel::choose(const QStringList& known, const QStringList& groups) {
  m_list->clear();
  for (const QString& name : known) {
    auto* item = new QListWidgetItem(name, m_list);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
    item->setCheckState(Qt::Unchecked);
  }
  m_list->setVisible(!known.isEmpty());
  m_typed->clear();
  m_group->clear();
  auto* completer = new QCompleter(groups, m_group);
  m_group->setCompleter(completer);
  m_add->setEnabled(false);
  open();
}

QSize AddMachinePanel::panelSize(const QSize&) const { return {480, m_list->count() > 0 ? 420 : 250}; }

void AddMachinePanel::onOpen() { m_typed->setFocus(); }

QStringList AddMachinePanel::names() const {
  QStringList all;
  for (int i = 0; i < m_list->count(); ++i) {
    if (m_list->item(i)->checkState() == Qt::Checked) all << m_list->item(i)->text();
  }
  static const QRegularExpression kBetween(QStringLiteral("[,;\\s]+"));
  all << m_typed->text().split(kBetween, Qt::SkipEmptyParts);
  all.removeDuplicates();
  return all;
}

void AddMachinePanel::accept() {
  const QStringList all = names();
  if (all.isEmpty()) return;
  const QString group = m_group->text().trimmed();
  close();
  emit chosen(all, group);
}

}  // namespace roadtune::widgets
