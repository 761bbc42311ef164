// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/box_overlay.h"

#include "core/data/index/vocabulary.h"
#include "widgets/common/class_looks.h"
#include "widgets/common/theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPen>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

namespace roadtune::widgets {
namespace {

struct BoxWords {
  Q_DECLARE_TR_FUNCTIONS(Boxes)
};

constexpr double kMarkReach = 10, kSecondLine = 3;  // pixels

constexpr double kChipHeight = 16;
constexpr int kDarkChip = 90;  // of 255: below it only white letters stand out

// The name of a box.
struct Chip {
  QRectF box;
  QString text;
  QColor colour;
  bool strong = false;   // has to be there
  std::size_t like = 0;  // how many of its class want a name
};

void paintChip(QPainter& painter, const QRectF& place, const Chip& chip) {
  painter.fillRect(place, chip.colour);
  painter.setPen(qGray(chip.colour.rgb()) < kDarkChip ? QColor(Qt::white) : QColor(0x10, 0x12, 0x14));
  painter.drawText(place, Qt::AlignCenter, chip.text);
}

// Above the box, else in it, below it, or above its right end: the first place that is in sight and free.
QRectF placeOf(const Chip& chip, double width, const std::vector<QRectF>& taken) {
  const QRectF& box = chip.box;
  const double left = box.left() - 0.5, right = box.right() + 0.5 - width;
  const QPointF places[] = {{left, box.top() - kChipHeight},
                            {left, box.top()},
                            {right, box.top() - kChipHeight},
                            {left, box.bottom()},
                            {right, box.bottom()}};
  for (const QPointF& at : places) {
    const QRectF place(at, QSizeF(width, kChipHeight));
    if (place.top() < 0) continue;
    if (std::ranges::none_of(taken, [&](const QRectF& one) { return one.intersects(place); })) return place;
  }
  if (!chip.strong) return {};
  return {left, std::max(box.top() - kChipHeight, 0.0), width, kChipHeight};
}

// Over all boxes. Where there is no room for every name, those of rare classes and large boxes win.
void paintChips(QPainter& painter, std::vector<Chip> chips) {
  std::ranges::stable_sort(chips, [](const Chip& a, const Chip& b) {
    if (a.strong != b.strong) return a.strong;
    if (a.like != b.like) return a.like < b.like;
    return a.box.width() * a.box.height() > b.box.width() * b.box.height();
  });
  const QFontMetricsF metrics(painter.font());
  std::vector<QRectF> taken;
  for (const Chip& chip : chips) {
    const QRectF place = placeOf(chip, metrics.horizontalAdvance(chip.text) + 8, taken);
    if (place.isNull()) continue;
    taken.push_back(place);
    paintChip(painter, place, chip);
  }
}

void paintBoxLabel(QPainter& painter, const QRectF& box, const QString& text, const QColor& colour) {
  paintChips(painter, {{box, text, colour, true, 0}});
}

// Heavier strokes around the corners or in the middle of the sides, or a thin line inside.
void paintMark(QPainter& painter, const QRectF& box, const ClassLook& look, double width) {
  const double reach = std::min({kMarkReach, box.width() / 3, box.height() / 3});
  const QPointF across(reach, 0), down(0, reach);
  painter.setPen(QPen(look.colour, width + 1.5, Qt::SolidLine, Qt::FlatCap));
  switch (look.mark) {
    case ClassMark::None: return;
    case ClassMark::Corners:
      for (const QPointF& left : {box.topLeft(), box.bottomLeft()}) painter.drawLine(left, left + across);
      for (const QPointF& right : {box.topRight(), box.bottomRight()}) painter.drawLine(right, right - across);
      for (const QPointF& top : {box.topLeft(), box.topRight()}) painter.drawLine(top, top + down);
      for (const QPointF& bottom : {box.bottomLeft(), box.bottomRight()}) painter.drawLine(bottom, bottom - down);
      return;
    case ClassMark::Sides:
      for (const double y : {box.top(), box.bottom()})
        painter.drawLine(QPointF(box.center().x(), y) - across / 2, QPointF(box.center().x(), y) + across / 2);
      for (const double x : {box.left(), box.right()})
        painter.drawLine(QPointF(x, box.center().y()) - down / 2, QPointF(x, box.center().y()) + down / 2);
      return;
    case ClassMark::SecondLine:
      painter.setPen(QPen(look.colour, 1));
      if (reach >= kSecondLine) painter.drawRect(box.adjusted(kSecondLine, kSecondLine, -kSecondLine, -kSecondLine));
  }
}

// Quiet: what is counted stands out beside it.
void paintCrowd(QPainter& painter, const QRectF& region, const QString& name, bool named) {
  const QColor line(0xB0, 0xB8, 0xC1);
  painter.fillRect(region, QColor(0, 0, 0, 60));
  painter.fillRect(region, QBrush(QColor(line.red(), line.green(), line.blue(), 110), Qt::BDiagPattern));
  painter.setPen(QPen(line, 1));
  painter.drawRect(region);
  if (named && region.width() > 28 && region.height() > 18)
    paintBoxLabel(painter, region,
                  name.isEmpty() ? BoxWords::tr("not counted") : BoxWords::tr("%1 · not counted").arg(name), line);
}

// Boxes of one track keep one colour through a segment; the marks still tell the class.
ClassLook lookOf(const data::Box& box, ClassLook look, BoxColour colour) {
  if (colour == BoxColour::Track && !box.id.empty()) look.colour = seriesColour(std::hash<std::string>()(box.id) % 7);
  if (colour == BoxColour::Level)
    look.colour = data::cameraBoxLevel(box.detectionLevel) >= 2 ? seriesColour(5) : seriesColour(2);
  return look;
}

}  // namespace

QString classNameOf(const data::Index& index, const data::Box& box) {
  const auto& names = index.classNames();
  return box.type < names.size() ? QString::fromStdString(names[box.type]) : QStringLiteral("unknown");
}

void paintBoxes(QPainter& painter, const data::Index& index, const std::vector<data::Box>& boxes, const QRectF& target,
                double imageWidth, const BoxStyle& style) {
  if (imageWidth <= 0) return;
  const double scale = target.width() / imageWidth;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setFont(secondaryFont());
  const std::vector<ClassLook> looks = classLooks(index.classNames());
  std::vector<Chip> chips;
  std::map<QString, std::size_t> alike;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const data::Box& box = boxes[i];
    const QRectF rect(target.left() + box.x * scale, target.top() + box.y * scale, box.w * scale, box.h * scale);
    if (std::max(rect.width(), rect.height()) < style.leastSide) continue;
    const QString name = classNameOf(index, box);
    if (style.hiddenClasses.contains(name)) continue;
    if (style.kind == BoxKind::Crowd) {
      paintCrowd(painter, rect, box.type == data::kUnknown ? QString() : name, style.labels);
      continue;
    }
    ClassLook look = lookOf(box, box.type < looks.size() ? looks[box.type] : classLook("unknown"), style.colour);
    if (style.kind == BoxKind::Laser) {
      painter.setPen(QPen(QColor(0, 0, 0, 120), 2));
      if (rect.width() > 14) painter.drawRect(rect);
      painter.setPen(projectedPen(look.colour));
      painter.drawRect(rect);
      continue;
    }
    const bool lost = std::min(box.w, box.h) < style.leastImageSide;
    if (lost) look = {QColor(0xB0, 0xB8, 0xC1), ClassMark::None};
    const bool strong = style.highlighted == i;
    if (strong) {
      QColor fill = look.colour;
      fill.setAlphaF(0.25);
      painter.fillRect(rect, fill);
    }
    // A dark line below keeps the coloured one readable on any picture.
    painter.setPen(QPen(QColor(0, 0, 0, 150), strong ? 4 : 3));
    if (rect.width() > 14) painter.drawRect(rect);
    const double width = strong ? 2.5 : 1.5;
    painter.setPen(QPen(look.colour, width, lost ? Qt::DotLine : Qt::SolidLine));
    painter.drawRect(rect);
    paintMark(painter, rect, look, width);
    if (style.labels && !lost && (strong || (rect.width() > 28 && rect.height() > 18))) {
      const QString size = strong ? QStringLiteral("  %1 × %2").arg(qRound(box.w)).arg(qRound(box.h)) : QString();
      chips.push_back({rect, name + size, look.colour, strong, 0});
      ++alike[name];
    }
  }
  for (Chip& chip : chips) chip.like = alike[chip.text];
  paintChips(painter, std::move(chips));
  painter.restore();
}

void paintLabels(QPainter& painter, const data::Index& index, data::ImageId image, const QRectF& target,
                 double imageWidth, BoxStyle style) {
  style.kind = BoxKind::Crowd;
  paintBoxes(painter, index, index.crowds(image), target, imageWidth, style);
  style.kind = BoxKind::Label;
  paintBoxes(painter, index, index.boxes(image), target, imageWidth, style);
}

QPen projectedPen(const QColor& colour) { return {colour.lighter(115), 1, Qt::DashDotDotLine}; }

std::optional<std::size_t> boxAt(const std::vector<data::Box>& boxes, const QPointF& point) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const data::Box& box = boxes[i];
    if (!QRectF(box.x, box.y, box.w, box.h).contains(point)) continue;
    if (!best || box.w * box.h < boxes[*best].w * boxes[*best].h) best = i;
  }
  return best;
}

}  // namespace roadtune::widgets
