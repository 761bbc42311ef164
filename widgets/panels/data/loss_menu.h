// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QMenu>
#include <QString>

namespace roadtune::widgets {

// A run that wrote down what each sample cost.
struct LossChoice {
  QString run, folder;
};

// Which run's losses the images are in the order of.
class LossMenu : public QMenu {
  Q_OBJECT
 public:
  explicit LossMenu(QWidget* parent);
  void setChoices(const QList<LossChoice>& choices);
  void setChosen(const QString& run);  // as the query names it; empty: none

 signals:
  void choicesWanted();  // it opens: what there is may have changed
  void chosen(const QString& folder);

 private:
  void refill();
  QList<LossChoice> m_choices;
  QString m_chosen;
};

}  // namespace roadtune::widgets
