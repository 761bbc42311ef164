// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/eval/assignment.h"

#include <algorithm>
#include <limits>

namespace roadtune::data {

namespace {

// Shortest augmenting paths with potentials on a square matrix of costs; positions are counted from 1, 0 is "nobody".
class Assigner {
 public:
  Assigner(const std::vector<std::int64_t>& weights, std::size_t rows, std::size_t columns)
      : m_weights(weights), m_rows(rows), m_columns(columns), m_size(std::max(rows, columns)) {
    m_rowPotential.assign(m_size + 1, 0);
    m_columnPotential.assign(m_size + 1, 0);
    m_rowOf.assign(m_size + 1, 0);
    m_way.assign(m_size + 1, 0);
  }

  std::vector<int> run() {
    for (std::size_t row = 1; row <= m_size; ++row) place(row);
    std::vector<int> result(m_rows, -1);
    for (std::size_t column = 1; column <= m_columns; ++column) {
      const std::size_t row = m_rowOf[column];
      if (row >= 1 && row <= m_rows && cost(row, column) < 0) result[row - 1] = static_cast<int>(column - 1);
    }
    return result;
  }

 private:
  std::int64_t cost(std::size_t row, std::size_t column) const {
    if (row > m_rows || column > m_columns) return 0;
    return -m_weights[(row - 1) * m_columns + column - 1];
  }

  void place(std::size_t row) {
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
    m_rowOf[0] = row;
    std::size_t column = 0;
    std::vector<std::int64_t> distance(m_size + 1, kFar);
    std::vector<char> used(m_size + 1, 0);
    do {
      used[column] = 1;
      const std::size_t at = m_rowOf[column];
      std::int64_t delta = kFar;
      std::size_t next = 0;
      for (std::size_t j = 1; j <= m_size; ++j) {
        if (used[j]) continue;
        const std::int64_t reduced = cost(at, j) - m_rowPotential[at] - m_columnPotential[j];
        if (reduced < distance[j]) {
          distance[j] = reduced;
          m_way[j] = column;
        }
        if (distance[j] < delta) {
          delta = distance[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= m_size; ++j) {
        if (used[j]) {
          m_rowPotential[m_rowOf[j]] += delta;
          m_columnPotential[j] -= delta;
        } else {
          distance[j] -= delta;
        }
      }
      column = next;
    } while (m_rowOf[column] != 0);
    while (column != 0) {
      const std::size_t before = m_way[column];
      m_rowOf[column] = m_rowOf[before];
      column = before;
    }
  }

  const std::vector<std::int64_t>& m_weights;
  std::size_t m_rows, m_columns, m_size;
  std::vector<std::int64_t> m_rowPotential, m_columnPotential;
  std::vector<std::size_t> m_rowOf, m_way;
};

}  // namespace

std::vector<int> heaviestAssignment(const std::vector<std::int64_t>& weights, std::size_t rows, std::size_t columns) {
  if (rows == 0 || columns == 0) return std::vector<int>(rows, -1);
  return Assigner(weights, rows, columns).run();
}

}  // namespace roadtune::data
