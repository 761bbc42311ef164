// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"

#include <QRectF>
#include <QSet>
#include <QString>

#include <optional>
#include <vector>

class QColor;
class QPainter;
class QPen;

namespace roadtune::widgets {

enum class BoxColour { Class, Track, Level };

// Labels; those of the laser, thin and in dash and dot, without names; regions where finds are not counted, hatched.
enum class BoxKind { Label, Laser, Crowd };

struct BoxStyle {
  bool labels = false;   // class and size beside each box
  double leastSide = 0;  // pixels on the screen below which a box is left out
  BoxColour colour = BoxColour::Class;
  double leastImageSide = 0;  // pixels of the image below which a box is drawn as lost
  QSet<QString> hiddenClasses = {};
  std::optional<std::size_t> highlighted = {};
  BoxKind kind = BoxKind::Label;
};

// Draws boxes given in pixels of an image of `imageWidth` onto `target`, where that image is shown.
void paintBoxes(QPainter& painter, const data::Index& index, const std::vector<data::Box>& boxes, const QRectF& target,
                double imageWidth, const BoxStyle& style);

// The labels of an image of the index, over its crowd regions.
void paintLabels(QPainter& painter, const data::Index& index, data::ImageId image, const QRectF& target,
                 double imageWidth, BoxStyle style);

// The line of laser labels, whatever their class.
QPen projectedPen(const QColor& colour);

QString classNameOf(const data::Index& index, const data::Box& box);

// The smallest box around a point of the image, if any.
std::optional<std::size_t> boxAt(const std::vector<data::Box>& boxes, const QPointF& point);

}  // namespace roadtune::widgets
