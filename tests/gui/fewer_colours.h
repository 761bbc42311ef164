// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QHash>
#include <QImage>

namespace roadtune::testing {

// Photographs keep five bits of a colour, which is half the bytes; what is one colour over a larger area, as the window
// itself is, keeps that.
inline QImage withFewerColours(const QImage& picture) {
  constexpr int kOneOf = 2000;  // pixels
  const QImage exact = picture.convertToFormat(QImage::Format_RGB32);
  QImage few = exact.convertToFormat(QImage::Format_RGB16, Qt::ThresholdDither).convertToFormat(QImage::Format_RGB32);
  const auto forEach = [&](const auto& work) {
    for (int y = 0; y < exact.height(); ++y)
      for (int x = 0; x < exact.width(); ++x) work(x, y, exact.pixel(x, y));
  };
  QHash<QRgb, int> counts;
  forEach([&](int, int, QRgb colour) { ++counts[colour]; });
  const int often = exact.width() * exact.height() / kOneOf;
  forEach([&](int x, int y, QRgb colour) {
    if (counts[colour] >= often) few.setPixel(x, y, colour);
  });
  return few.convertToFormat(QImage::Format_RGB888);
}

}  // namespace roadtune::testing
