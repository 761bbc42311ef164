// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/eval/prediction_set.h"
#include "widgets/panels/data/prediction_menu.h"

#include <QWidget>

#include <memory>

class QLabel;
class QSlider;

namespace roadtune::widgets {

class ElidedLabel;

// Which predictions lie over the image, at which evaluation of their run, the overlap and score from which they count,
// and what that makes of them, here and over all images.
class PredictionStrip : public QWidget {
  Q_OBJECT
 public:
  explicit PredictionStrip(QWidget* parent = nullptr);
  void setSet(std::shared_ptr<const data::PredictionSet> set, const QString& name);  // null hides the strip
  // The evaluations of the run on show in their order, to go through them; fewer than two: there is nothing to go
  // through.
  void setEvaluations(const QList<PredictionChoice>& evaluations, const QString& current);
  const data::PredictionSet* set() const { return m_set.get(); }
  void setImage(std::optional<data::ImageId> image);
  const data::PredictionSet::OnImage& onImage() const { return m_here; }
  bool active() const { return m_set != nullptr; }

 signals:
  void changed();  // what is to be drawn
  void closed();
  void evaluationChosen(const roadtune::widgets::PredictionChoice& evaluation);

 private:
  QSlider* makeSlider(const QString& name, const QString& accessible, int low, int high, int value);
  void refresh(bool all);
  double iou() const;
  double score() const;
  std::shared_ptr<const data::PredictionSet> m_set;
  std::optional<data::ImageId> m_image;
  data::PredictionSet::OnImage m_here;
  QList<PredictionChoice> m_evaluations;
  ElidedLabel* m_name;
  QWidget* m_stepGroup = nullptr;
  QSlider* m_step;
  QLabel* m_stepText;
  QSlider* m_iou;
  QSlider* m_score;
  QLabel* m_iouText;
  QLabel* m_scoreText;
  QLabel* m_counts;
  QLabel* m_total;
};

}  // namespace roadtune::widgets
