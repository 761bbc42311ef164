// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/eval/prediction_set.h"
#include "core/data/index/index.h"

#include <QColor>
#include <QRectF>

#include <vector>

class QPainter;

namespace roadtune::widgets {

// Hits solid and green, wrong ones dashed and vermilion, what was missed dotted and blue: never colour alone.
enum class MatchKind { Hit, Wrong, Missed };
struct MatchLook {
  QColor colour;
  Qt::PenStyle pen;
};
MatchLook matchLook(MatchKind kind);

// Predictions of one image over it, with class and score; `labels` are its boxes in the index.
void paintPredictions(QPainter& painter, const data::PredictionSet::OnImage& found,
                      const std::vector<data::Box>& labels, const data::Index& index, const QRectF& target,
                      double imageWidth, bool names);

}  // namespace roadtune::widgets
