// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/tabular_text.h"

#include <QFontMetricsF>
#include <QPainter>

namespace roadtune::widgets {
namespace {

double digitWidth(const QFontMetricsF& metrics) {
  double widest = 0;
  for (char digit = '0'; digit <= '9'; ++digit) {
    widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(digit)));
  }
  return widest;
}

// Calls use(part, width) for every digit alone and for every stretch between digits.
template <class Use>
void forParts(const QFontMetricsF& metrics, const QString& text, Use use) {
  const double digit = digitWidth(metrics);
  for (qsizetype at = 0; at < text.size();) {
    qsizetype end = at + 1;
    const bool isDigit = text[at].isDigit();
    while (!isDigit && end < text.size() && !text[end].isDigit()) ++end;
    const QString part = text.mid(at, end - at);
    use(part, isDigit ? digit : metrics.horizontalAdvance(part));
    at = end;
  }
}

}  // namespace

double tabularWidth(const QFont& font, const QString& text) {
  double width = 0;
  forParts(QFontMetricsF(font), text, [&width](const QString&, double part) { width += part; });
  return width;
}

void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  const double width = tabularWidth(painter.font(), text);
  double x = rect.left();
  if (alignment & Qt::AlignRight) x = rect.right() - width;
  if (alignment & Qt::AlignHCenter) x = rect.center().x() - width / 2;
  const double y = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;
  forParts(metrics, text, [&](const QString& part, double advance) {
    const double inset = part.size() == 1 && part[0].isDigit() ? (advance - metrics.horizontalAdvance(part)) / 2 : 0;
    painter.drawText(QPointF(x + inset, y), part);
    x += advance;
  });
}

}  // namespace roadtune::widgets
