// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRect>

#include <cstddef>
#include <utility>

namespace roadtune::widgets {

// Where tiles of equal size lie in a column of rows. Pure arithmetic; positions beyond what fits an int pixel are kept
// in 64 bits, because a million tiles are taller than that.
struct GridLayout {
  std::size_t count = 0;
  int viewWidth = 0;
  int tileWidth = 240, tileHeight = 180;
  int gap = 8, margin = 12;

  int columns() const;
  std::size_t rows() const;
  qint64 contentHeight() const;
  // In content coordinates.
  int left(std::size_t item) const;
  qint64 top(std::size_t item) const;
  // Items whose tiles touch [from, to) of the content: [first, last).
  std::pair<std::size_t, std::size_t> range(qint64 from, qint64 to) const;
  // The item at a point of the content, or count when there is none.
  std::size_t itemAt(int x, qint64 y) const;
};

}  // namespace roadtune::widgets
