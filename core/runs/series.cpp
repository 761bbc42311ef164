// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roadtune::runs {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void Series::append(const Point& point) {
  if (m_axis == Axis::Step && !m_steps.empty() && point.step <= m_steps.back()) supersedeFrom(point.step);
  push(point);
}

void Series::push(const Point& point) {
  m_steps.push_back(point.step);
  m_times.push_back(m_times.empty() ? point.time : std::max(point.time, m_times.back()));
  m_values.push_back(point.value);
  addToPyramid(point.value);
}

void Series::supersedeFrom(std::int64_t step) {
  const auto first = std::lower_bound(m_steps.begin(), m_steps.end(), step);
  if (first == m_steps.end()) return;
  const auto keep = static_cast<std::size_t>(first - m_steps.begin());
  SupersededPart part{step, {}};
  part.points.reserve(size() - keep);
  for (std::size_t i = keep; i < size(); ++i) part.points.push_back(at(i));
  m_superseded.push_back(std::move(part));
  cutTo(keep);
}

void Series::cutTo(std::size_t count) {
  m_steps.resize(count);
  m_times.resize(count);
  m_values.resize(count);
  rebuildPyramid(count);
  ++m_generation;
}

void Series::merge(std::vector<Point> points) {
  const auto earlier = [](const Point& a, const Point& b) { return a.step < b.step; };
  std::stable_sort(points.begin(), points.end(), earlier);
  if (!points.empty() && !empty() && points.front().step < m_steps.back()) {
    const auto first = std::upper_bound(m_steps.begin(), m_steps.end(), points.front().step);
    const auto keep = static_cast<std::size_t>(first - m_steps.begin());
    std::vector<Point> whole;
    for (std::size_t i = keep; i < size(); ++i) whole.push_back(at(i));
    const auto middle = static_cast<std::ptrdiff_t>(whole.size());
    whole.insert(whole.end(), points.begin(), points.end());
    std::inplace_merge(whole.begin(), whole.begin() + middle, whole.end(), earlier);
    points.swap(whole);
    cutTo(keep);
  }
  for (const Point& point : points) push(point);
}

// Level 0 holds one block per kFan points, level n one block per kFan blocks of level n - 1; the last block of each
// level is the one being filled. All levels are updated with the value itself, so a block is always exact.
void Series::addToPyramid(double value) {
  const bool finite = std::isfinite(value);
  const std::size_t index = size() - 1;
  std::size_t span = kFan;
  for (std::size_t level = 0;; ++level, span *= kFan) {
    if (level > 0 && index + 1 <= span / kFan) break;  // one block below covers everything: no need for this level
    if (level == m_levels.size()) startLevel(level);
    auto& blocks = m_levels[level];
    if (index % span == 0 || blocks.empty()) blocks.push_back({kNoNumber, kNoNumber, 0, 0, 0});
    Block& block = blocks.back();
    ++block.count;
    if (!finite) continue;
    merge(block, {value, value, value, 1, 0, index, index});
  }
}

// A new top level begins with what the level below knows of the points before the newest one.
void Series::startLevel(std::size_t level) {
  m_levels.emplace_back();
  if (level == 0) return;
  Block whole{kNoNumber, kNoNumber, 0, 0, 0};
  const auto& below = m_levels[level - 1];
  for (std::size_t i = 0; i + 1 < below.size(); ++i) merge(whole, below[i]);
  if (whole.count > 0) m_levels[level].push_back(whole);
}

void Series::merge(Block& into, const Block& other) {
  into.count += other.count;
  if (other.finite == 0) return;
  if (into.finite == 0 || other.min < into.min) {
    into.min = other.min;
    into.minAt = other.minAt;
  }
  if (into.finite == 0 || other.max > into.max) {
    into.max = other.max;
    into.maxAt = other.maxAt;
  }
  into.sum += other.sum;
  into.finite += other.finite;
}

void Series::rebuildPyramid(std::size_t count) {
  std::vector<double> values;
  values.swap(m_values);
  m_levels.clear();
  m_values.reserve(values.capacity());
  for (std::size_t i = 0; i < count; ++i) {
    m_values.push_back(values[i]);
    addToPyramid(values[i]);
  }
}

double Series::position(Axis axis, std::size_t index) const {
  return axis == Axis::Step ? static_cast<double>(m_steps[index]) : m_times[index];
}

std::size_t Series::lowerBound(Axis axis, double x) const {
  if (axis == Axis::Time || m_axis == Axis::Time)
    return static_cast<std::size_t>(std::lower_bound(m_times.begin(), m_times.end(), x) - m_times.begin());
  const auto before = [](std::int64_t step, double bound) { return static_cast<double>(step) < bound; };
  return static_cast<std::size_t>(std::lower_bound(m_steps.begin(), m_steps.end(), x, before) - m_steps.begin());
}

// Walks from `first` with the largest blocks that fit.
Series::Block Series::fold(std::size_t first, std::size_t end) const {
  Block whole{kNoNumber, kNoNumber, 0, 0, 0};
  std::size_t at = first;
  while (at < end) {
    std::size_t span = 1, level = 0;
    while (level < m_levels.size() && at % (span * kFan) == 0 && at + span * kFan <= end) {
      span *= kFan;
      ++level;
    }
    if (level == 0) {
      const double value = m_values[at];
      const bool finite = std::isfinite(value);
      merge(whole, {value, value, value, finite ? 1u : 0u, 1u, at, at});
    } else {
      merge(whole, m_levels[level - 1][at / span]);
    }
    at += span;
  }
  return whole;
}

Column Series::summarize(std::size_t first, std::size_t count) const {
  Column column;
  column.first = first;
  column.count = first < size() ? std::min(count, size() - first) : 0;
  column.min = column.max = column.mean = kNoNumber;
  column.minAt = column.maxAt = first;
  if (column.count == 0) return column;
  const Block whole = fold(first, first + column.count);
  column.nonFinite = column.count - whole.finite;
  column.min = whole.min;
  column.max = whole.max;
  if (whole.finite > 0) {
    column.mean = whole.sum / whole.finite;
    column.minAt = whole.minAt;
    column.maxAt = whole.maxAt;
  }
  column.firstValue = m_values[first];
  column.lastValue = m_values[first + column.count - 1];
  column.x0 = position(m_axis, first);
  column.x1 = position(m_axis, first + column.count - 1);
  return column;
}

std::vector<Column> Series::columns(Axis axis, double from, double to, std::size_t columns) const {
  std::vector<Column> result;
  const Axis along = m_axis == Axis::Time ? Axis::Time : axis;
  if (columns == 0 || !(from <= to)) return result;
  const std::size_t first = lowerBound(along, from);
  const std::size_t end = lowerBound(along, std::nextafter(to, std::numeric_limits<double>::infinity()));
  const auto add = [&](std::size_t begin, std::size_t stop) {
    Column column = summarize(begin, stop - begin);
    column.x0 = position(along, begin);
    column.x1 = position(along, stop - 1);
    result.push_back(column);
  };
  if (end - first <= columns) {
    for (std::size_t i = first; i < end; ++i) add(i, i + 1);
    return result;
  }
  const double width = (to - from) / static_cast<double>(columns);
  std::size_t begin = first;
  for (std::size_t i = 1; i <= columns && begin < end; ++i) {
    const std::size_t stop =
        i == columns ? end : std::min(end, lowerBound(along, from + width * static_cast<double>(i)));
    if (stop > begin) add(begin, stop);
    begin = std::max(begin, stop);
  }
  return result;
}

}  // namespace roadtune::runs
