// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRect>

#include <cstddef>
#include <utility>
#include <vector>

namespace roadtune::widgets {

// Where tiles of equal size lie in rows, one group below the other. Pure arithmetic; positions beyond what fits an int
// pixel are kept in 64 bits, because a million tiles are taller than that.
struct GridLayout {
  std::size_t count = 0;
  int viewWidth = 0;
  int tileWidth = 240, tileHeight = 180;
  int gap = 8, margin = 12;
  int headerHeight = 26;                 // above the tiles of each group
  std::vector<std::size_t> groups = {};  // the first item of each, ascending from 0; empty: one group without a header

  void arrange();  // after any change of the above

  int columns() const;
  qint64 contentHeight() const;
  // In content coordinates.
  int left(std::size_t item) const;
  qint64 top(std::size_t item) const;
  // Items whose tiles touch [from, to) of the content: [first, last).
  std::pair<std::size_t, std::size_t> range(qint64 from, qint64 to) const;
  // The item at a point of the content, or count when there is none.
  std::size_t itemAt(int x, qint64 y) const;
  // The item `rows` further down, or up when negative, in the same column where that has one.
  std::size_t below(std::size_t item, qint64 rows) const;

  std::size_t groupOf(std::size_t item) const;
  std::size_t groupAt(qint64 y) const;  // the first one above everything
  qint64 groupTop(std::size_t group) const { return m_tops[group]; }
  std::pair<std::size_t, std::size_t> itemsOf(std::size_t group) const;  // [first, last)

 private:
  int header() const { return groups.empty() ? 0 : headerHeight; }
  qint64 tilesTop(std::size_t group) const { return m_tops[group] + header(); }
  std::size_t across() const { return static_cast<std::size_t>(columns()); }
  std::size_t rowsOf(std::size_t group) const;
  std::size_t stepUp(std::size_t item) const;
  std::size_t stepDown(std::size_t item) const;
  std::vector<std::size_t> m_starts;  // of the groups, and the end
  std::vector<qint64> m_tops;         // of the groups, and where one more would begin
};

}  // namespace roadtune::widgets
