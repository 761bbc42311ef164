// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QFont;
class QPainter;
class QRectF;

namespace roadtune::widgets {

// Text whose digits all take the width of the widest one, so that changing numbers do not dance. Drawn with the
// painter's font and pen.
double tabularWidth(const QFont& font, const QString& text);
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text);

}  // namespace roadtune::widgets
