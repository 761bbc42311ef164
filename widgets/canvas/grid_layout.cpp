// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/grid_layout.h"

#include <algorithm>

namespace roadtune::widgets {

void GridLayout::arrange() {
  m_starts = groups.empty() ? std::vector<std::size_t>{0} : groups;
  m_starts.push_back(count);
  m_tops = {margin};
  for (std::size_t group = 0; group + 1 < m_starts.size(); ++group)
    m_tops.push_back(m_tops.back() + header() + static_cast<qint64>(rowsOf(group)) * (tileHeight + gap));
}

int GridLayout::columns() const { return std::max(1, (viewWidth - 2 * margin + gap) / (tileWidth + gap)); }

std::pair<std::size_t, std::size_t> GridLayout::itemsOf(std::size_t group) const {
  return {m_starts[group], m_starts[group + 1]};
}

std::size_t GridLayout::rowsOf(std::size_t group) const {
  const auto [first, last] = itemsOf(group);
  return (last - first + across() - 1) / across();
}

std::size_t GridLayout::groupOf(std::size_t item) const {
  const auto after = std::upper_bound(m_starts.begin() + 1, m_starts.end() - 1, item);
  return static_cast<std::size_t>(after - m_starts.begin()) - 1;
}

std::size_t GridLayout::groupAt(qint64 y) const {
  const auto after = std::upper_bound(m_tops.begin() + 1, m_tops.end() - 1, y);
  return static_cast<std::size_t>(after - m_tops.begin()) - 1;
}

qint64 GridLayout::contentHeight() const { return count == 0 ? 0 : m_tops.back() - gap + margin; }

int GridLayout::left(std::size_t item) const {
  const std::size_t first = itemsOf(groupOf(item)).first;
  return margin + static_cast<int>((item - first) % across()) * (tileWidth + gap);
}

qint64 GridLayout::top(std::size_t item) const {
  const std::size_t group = groupOf(item), first = itemsOf(group).first;
  return tilesTop(group) + static_cast<qint64>((item - first) / across()) * (tileHeight + gap);
}

std::pair<std::size_t, std::size_t> GridLayout::range(qint64 from, qint64 to) const {
  const qint64 pitch = tileHeight + gap;
  const auto before = [&](qint64 y, qint64 rounding) {  // items in rows that end before y
    const std::size_t group = groupAt(y);
    const auto [first, last] = itemsOf(group);
    const qint64 row = std::max<qint64>(0, (y - tilesTop(group) + rounding) / pitch);
    return std::min(last, first + static_cast<std::size_t>(row) * across());
  };
  return {before(from, 0), before(to, pitch - 1)};
}

std::size_t GridLayout::itemAt(int x, qint64 y) const {
  const std::size_t group = groupAt(y);
  const qint64 down = y - tilesTop(group);
  if (x < margin || down < 0) return count;
  const int column = (x - margin) / (tileWidth + gap);
  if (column >= columns() || (x - margin) % (tileWidth + gap) >= tileWidth) return count;
  if (down % (tileHeight + gap) >= tileHeight) return count;
  const auto [first, last] = itemsOf(group);
  const auto row = static_cast<std::size_t>(down / (tileHeight + gap));
  const std::size_t item = first + row * across() + static_cast<std::size_t>(column);
  return item < last ? item : count;
}

std::size_t GridLayout::stepDown(std::size_t item) const {
  const std::size_t group = groupOf(item);
  const auto [first, last] = itemsOf(group);
  if (item + across() < last) return item + across();
  if ((item - first) / across() + 1 < rowsOf(group)) return last - 1;  // the row below is shorter
  if (last == count) return count - 1;
  return last + std::min((item - first) % across(), itemsOf(group + 1).second - last - 1);
}

std::size_t GridLayout::stepUp(std::size_t item) const {
  const std::size_t group = groupOf(item), first = itemsOf(group).first;
  if (item >= first + across()) return item - across();
  if (group == 0) return 0;
  const auto [above, end] = itemsOf(group - 1);
  return std::min(end - 1, above + (rowsOf(group - 1) - 1) * across() + (item - first));
}

std::size_t GridLayout::below(std::size_t item, qint64 rows) const {
  for (; rows > 0; --rows) item = stepDown(item);
  for (; rows < 0; ++rows) item = stepUp(item);
  return item;
}

}  // namespace roadtune::widgets
