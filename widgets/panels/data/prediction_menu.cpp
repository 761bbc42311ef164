// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/prediction_menu.h"

#include "widgets/common/number_text.h"
#include "widgets/common/shown_text.h"

namespace roadtune::widgets {

QString PredictionChoice::name() const { return PredictionMenu::tr("%1, step %2").arg(run, countText(step)); }

PredictionMenu::PredictionMenu(QWidget* parent) : QMenu(parent) {
  setObjectName(QStringLiteral("predictionMenu"));
  connect(this, &QMenu::aboutToShow, this, &PredictionMenu::choicesWanted);
  refill();
}

void PredictionMenu::setChoices(const QList<PredictionChoice>& choices) {
  m_choices = choices;
  refill();
}

void PredictionMenu::refill() {
  clear();
  addAction(tr("No predictions"), this, &PredictionMenu::noneChosen)->setObjectName(QStringLiteral("predictionNone"));
  addSeparator();
  for (const PredictionChoice& one : m_choices) {
    const QString name = one.name();
    addAction(buttonText(name), this, [this, file = one.file, name] {
      emit chosen(file, name);
    })->setObjectName(QStringLiteral("prediction_%1_%2").arg(one.run).arg(one.step));
  }
  if (m_choices.isEmpty()) addAction(tr("No run has predictions yet"))->setEnabled(false);
  addSeparator();
  addAction(tr("Open a results file…"), this, &PredictionMenu::fileWanted)
      ->setObjectName(QStringLiteral("predictionFile"));
}

}  // namespace roadtune::widgets
