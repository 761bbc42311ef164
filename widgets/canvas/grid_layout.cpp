// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/grid_layout.h"

#include <algorithm>

namespace roadtune::widgets {

int GridLayout::columns() const { return std::max(1, (viewWidth - 2 * margin + gap) / (tileWidth + gap)); }

std::size_t GridLayout::rows() const {
  const auto across = static_cast<std::size_t>(columns());
  return (count + across - 1) / across;
}

qint64 GridLayout::contentHeight() const {
  return count == 0 ? 0 : 2 * margin + static_cast<qint64>(rows()) * (tileHeight + gap) - gap;
}

int GridLayout::left(std::size_t item) const {
  return margin + static_cast<int>(item % static_cast<std::size_t>(columns())) * (tileWidth + gap);
}

qint64 GridLayout::top(std::size_t item) const {
  return margin + static_cast<qint64>(item / static_cast<std::size_t>(columns())) * (tileHeight + gap);
}

std::pair<std::size_t, std::size_t> GridLayout::range(qint64 from, qint64 to) const {
  const auto across = static_cast<std::size_t>(columns());
  const qint64 pitch = tileHeight + gap;
  const qint64 firstRow = std::max<qint64>(0, (from - margin) / pitch);
  const qint64 lastRow = std::max<qint64>(0, (to - margin + pitch - 1) / pitch);
  return {std::min(count, static_cast<std::size_t>(firstRow) * across),
          std::min(count, static_cast<std::size_t>(lastRow) * across)};
}

std::size_t GridLayout::itemAt(int x, qint64 y) const {
  if (x < margin || y < margin) return count;
  const int column = (x - margin) / (tileWidth + gap);
  if (column >= columns() || (x - margin) % (tileWidth + gap) >= tileWidth) return count;
  if ((y - margin) % (tileHeight + gap) >= tileHeight) return count;
  const auto row = static_cast<std::size_t>((y - margin) / (tileHeight + gap));
  return std::min(count, row * static_cast<std::size_t>(columns()) + static_cast<std::size_t>(column));
}

}  // namespace roadtune::widgets
