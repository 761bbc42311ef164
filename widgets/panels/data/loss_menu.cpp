// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/loss_menu.h"

#include "widgets/canvas/loss_text.h"

namespace roadtune::widgets {

LossMenu::LossMenu(QWidget* parent) : QMenu(tr("Worst first, by the loss in"), parent) {
  setObjectName(QStringLiteral("lossMenu"));
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, &LossMenu::choicesWanted);
  refill();
}

void LossMenu::setChoices(const QList<LossChoice>& choices) {
  m_choices = choices;
  refill();
}

void LossMenu::setChosen(const QString& run) {
  m_chosen = run;
  refill();
}

void LossMenu::refill() {
  clear();
  for (const LossChoice& one : m_choices) {
    QAction* action = addAction(one.run, this, [this, folder = one.folder] { emit chosen(folder); });
    action->setObjectName(QStringLiteral("lossOf_%1").arg(one.run));
    action->setToolTip(one.folder);
    action->setCheckable(true);
    action->setChecked(!m_chosen.isEmpty() && (m_chosen == one.run || runOfOrder(lossTerm(one.folder)) == m_chosen));
  }
  if (!m_choices.isEmpty()) return;
  QAction* none = addAction(tr("No run has kept the losses of its samples"));
  none->setToolTip(tr("A run keeps them unless record_sample_losses is false."));
  none->setEnabled(false);
}

}  // namespace roadtune::widgets
