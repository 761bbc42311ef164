// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/prediction_strip.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"
#include "widgets/common/wrap_layout.h"

#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

QString countsText(const data::MatchCounts& counts) {
  return PredictionStrip::tr("%1 hits  ·  %2 wrong  ·  %3 missed")
      .arg(countText(counts.hits), countText(counts.wrong), countText(counts.missed));
}

}  // namespace

PredictionStrip::PredictionStrip(QWidget* parent)
    : QWidget(parent),
      m_name(new ElidedLabel),
      m_step(new QSlider(Qt::Horizontal)),
      m_stepText(new QLabel),
      m_iou(makeSlider(QStringLiteral("predictionIou"), tr("Least overlap (IoU) of a hit"), 10, 95, 50)),
      m_score(makeSlider(QStringLiteral("predictionScore"), tr("Least score of a prediction"), 0, 100, 30)),
      m_iouText(new QLabel),
      m_scoreText(new QLabel),
      m_counts(new QLabel),
      m_total(secondaryLabel({})) {
  setObjectName(QStringLiteral("predictionStrip"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_name->setFont(strongFont());
  m_counts->setObjectName(QStringLiteral("predictionCounts"));
  m_total->setObjectName(QStringLiteral("predictionTotal"));
  m_iouText->setMinimumWidth(32);
  m_scoreText->setMinimumWidth(32);
  auto* close = iconButton(QStringLiteral("close"), tr("No predictions"), QStringLiteral("predictionClose"));
  auto* texts = new QWidget;
  texts->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  auto* lines = column(texts, 2);
  auto* first = row();
  first->addWidget(m_name, 1);
  first->addWidget(m_counts);
  lines->addLayout(first);
  lines->addWidget(m_total);
  auto* parts = new WrapLayout(12);
  parts->addWidget(texts);
  for (const QList<QWidget*>& group : {QList<QWidget*>{secondaryLabel(tr("Evaluation")), m_step, m_stepText},
                                       {secondaryLabel(tr("IoU")), m_iou, m_iouText},
                                       {secondaryLabel(tr("Score")), m_score, m_scoreText}}) {
    auto* together = new QWidget;
    together->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    auto* in = row(together);
    for (QWidget* part : group) in->addWidget(part);
    parts->addWidget(together);
  }
  m_stepGroup = m_step->parentWidget();
  auto* all = row(this);
  all->setContentsMargins(12, 6, 8, 6);
  all->addLayout(parts, 1);
  all->addWidget(close, 0, Qt::AlignTop);
  m_step->setObjectName(QStringLiteral("predictionStep"));
  m_step->setAccessibleName(tr("Evaluation of the run"));
  m_step->setToolTip(tr("Go through the evaluations of the run"));
  m_step->setPageStep(1);
  m_step->setFixedWidth(110);
  connect(m_step, &QSlider::valueChanged, this, [this](int at) {
    m_stepText->setText(countText(m_evaluations[at].step));
    emit evaluationChosen(m_evaluations[at]);
  });
  connect(close, &QToolButton::clicked, this, &PredictionStrip::closed);
  setEvaluations({}, {});
  hide();
}

QSlider* PredictionStrip::makeSlider(const QString& name, const QString& accessible, int low, int high, int value) {
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setObjectName(name);
  slider->setAccessibleName(accessible);
  slider->setToolTip(accessible);
  slider->setRange(low, high);
  slider->setValue(value);
  slider->setPageStep(5);
  slider->setFixedWidth(96);
  connect(slider, &QSlider::valueChanged, this, [this] { refresh(true); });
  return slider;
}

double PredictionStrip::iou() const { return m_iou->value() / 100.0; }
double PredictionStrip::score() const { return m_score->value() / 100.0; }

void PredictionStrip::setSet(std::shared_ptr<const data::PredictionSet> set, const QString& name) {
  m_set = std::move(set);
  m_name->setText(name);
  setVisible(m_set != nullptr);
  refresh(true);
}

void PredictionStrip::setEvaluations(const QList<PredictionChoice>& evaluations, const QString& current) {
  m_evaluations = evaluations;
  const bool many = evaluations.size() > 1;
  m_stepGroup->setVisible(many);
  if (!many) return;
  const QSignalBlocker quiet(m_step);
  m_step->setRange(0, static_cast<int>(evaluations.size()) - 1);
  for (int at = 0; at < evaluations.size(); ++at) {
    if (evaluations[at].file != current) continue;
    m_step->setValue(at);
    m_stepText->setText(countText(evaluations[at].step));
  }
}

void PredictionStrip::setImage(std::optional<data::ImageId> image) {
  m_image = image;
  refresh(false);
}

void PredictionStrip::refresh(bool all) {
  m_here = {};
  m_iouText->setText(fixedText(iou(), 2));
  m_scoreText->setText(fixedText(score(), 2));
  if (m_set && m_image) {
    m_here = m_set->on(*m_image, iou(), score());
    m_counts->setText(m_set->covers(*m_image) ? countsText(m_here.counts) : tr("Nothing was predicted for this image"));
  }
  if (m_set && all) {
    const data::MatchCounts total = m_set->total(iou(), score());
    m_total->setText(tr("All images (%1): %2  ·  precision %3  ·  recall %4")
                         .arg(countText(m_set->images()), countsText(total))
                         .arg(fixedText(total.precision(), 2))
                         .arg(fixedText(total.recall(), 2)));
  }
  emit changed();
}

}  // namespace roadtune::widgets
