// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/prediction_overlay.h"

#include "widgets/canvas/box_overlay.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"

#include <QPainter>

namespace roadtune::widgets {
namespace {

constexpr double kRoomForName = 28;

void paintName(QPainter& painter, const QRectF& box, const QString& text, const QColor& colour, bool below) {
  const QFontMetricsF metrics(painter.font());
  QRectF tag(box.left() - 0.5, below ? box.bottom() : box.top() - 16, metrics.horizontalAdvance(text) + 8, 16);
  if (tag.top() < 0) tag.moveTop(box.top());
  painter.fillRect(tag, colour);
  painter.setPen(QColor(0x10, 0x12, 0x14));
  painter.drawText(tag, Qt::AlignCenter, text);
}

void paintOne(QPainter& painter, const QRectF& rect, MatchKind kind, const QString& name) {
  const MatchLook look = matchLook(kind);
  painter.setPen(QPen(QColor(0, 0, 0, 150), 4));
  if (rect.width() > 14) painter.drawRect(rect);
  painter.setPen(QPen(look.colour, 2, look.pen));
  painter.drawRect(rect);
  if (!name.isEmpty() && rect.width() > kRoomForName)
    paintName(painter, rect, name, look.colour.lighter(140), kind == MatchKind::Missed);
}

}  // namespace

MatchLook matchLook(MatchKind kind) {
  switch (kind) {
    case MatchKind::Hit: return {seriesColour(2), Qt::SolidLine};
    case MatchKind::Wrong: return {seriesColour(5), Qt::DashLine};
    case MatchKind::Missed: return {seriesColour(0), Qt::DotLine};
  }
  return {};
}

void paintPredictions(QPainter& painter, const data::PredictionSet::OnImage& found,
                      const std::vector<data::Box>& labels, const data::Index& index, const QRectF& target,
                      double imageWidth, bool names) {
  if (imageWidth <= 0) return;
  const double scale = target.width() / imageWidth;
  const auto placed = [&](double x, double y, double w, double h) {
    return QRectF(target.left() + x * scale, target.top() + y * scale, w * scale, h * scale);
  };
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setFont(secondaryFont());
  for (const std::size_t number : found.missed) {
    if (number >= labels.size()) continue;
    const data::Box& box = labels[number];
    paintOne(painter, placed(box.x, box.y, box.w, box.h), MatchKind::Missed,
             names ? classNameOf(index, box) : QString());
  }
  for (const data::PredictedBox& one : found.boxes) {
    const QString name =
        names ? QString::fromStdString(one.label) + QStringLiteral(" %1").arg(fixedText(one.score, 2)) : QString();
    paintOne(painter, placed(one.box.x, one.box.y, one.box.w, one.box.h), one.hit ? MatchKind::Hit : MatchKind::Wrong,
             name);
  }
  painter.restore();
}

}  // namespace roadtune::widgets
