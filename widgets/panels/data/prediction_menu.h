// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QMenu>
#include <QString>

namespace roadtune::widgets {

// Predictions that a run wrote at one of its evaluations.
struct PredictionChoice {
  QString run;
  int step = 0;
  QString file;
  QString name() const;  // "night-walkers, step 1,200"
};

// Which predictions to lay over the image: none, those of a run at a step, or a file.
class PredictionMenu : public QMenu {
  Q_OBJECT
 public:
  explicit PredictionMenu(QWidget* parent);
  void setChoices(const QList<PredictionChoice>& choices);

 signals:
  void choicesWanted();  // it opens: what there is may have changed
  void chosen(const QString& file, const QString& name);
  void noneChosen();
  void fileWanted();

 private:
  void refill();
  QList<PredictionChoice> m_choices;
};

}  // namespace roadtune::widgets
