// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace roadtune::runs {

struct Point {
  std::int64_t step = 0;
  double time = 0;   // seconds since 1970
  double value = 0;  // may be NaN or infinite
};

// Many neighbouring points as one column of pixels.
struct Column {
  std::size_t first = 0, count = 0;   // which points: [first, first + count)
  std::size_t nonFinite = 0;          // of them, NaN or infinite: to be drawn as marks
  double min = 0, max = 0, mean = 0;  // of the finite ones; NaN when there is none
  double firstValue = 0, lastValue = 0;
  double x0 = 0, x1 = 0;             // positions of the first and last point
  std::size_t minAt = 0, maxAt = 0;  // which points are the extremes, the first of equals; `first` when none is finite
};

enum class Axis { Step, Time };

// Points that a resumed run has overwritten.
struct SupersededPart {
  std::int64_t fromStep = 0;  // where the newer points took over
  std::vector<Point> points;
};

// Append-only metric, with a pyramid of minima and maxima: any stretch is decimated to n columns in O(n log size)
// with exact extremes, so no spike is ever lost. Values that are not finite are kept and counted apart.
// A series over steps: a step at or below the last one means the run went back (a resume); points from that step on
// leave the line, and stay in superseded(). A series over time (`Axis::Time`) has no such rule, and no
// steps: they are 0.
// Time never decreases inside a line: earlier stamps are raised to the last one (clocks that were set back).
// Not synchronized: one thread at a time.
class Series {
 public:
  explicit Series(Axis axis = Axis::Step) : m_axis(axis) {}

  void append(const Point& point);
  // Points of other programs, which may come in any order and share a step: all are kept, in the order of their steps
  // and, where those are equal, as they came.
  void merge(std::vector<Point> points);
  // Takes all points with step >= `step` out of the line; the owner calls it when it knows of a resume.
  void supersedeFrom(std::int64_t step);

  Axis axis() const { return m_axis; }
  bool empty() const { return m_values.empty(); }
  std::size_t size() const { return m_values.size(); }
  Point at(std::size_t index) const { return {m_steps[index], m_times[index], m_values[index]}; }
  Point last() const { return at(size() - 1); }
  std::span<const std::int64_t> steps() const { return m_steps; }
  std::span<const double> times() const { return m_times; }
  std::span<const double> values() const { return m_values; }
  const std::vector<SupersededPart>& superseded() const { return m_superseded; }
  // Grows whenever points left the line; appending alone does not change it. For caches.
  std::uint64_t generation() const { return m_generation; }

  // First index whose position is >= x.
  std::size_t lowerBound(Axis axis, double x) const;
  // Exact summary of points [first, first + count).
  Column summarize(std::size_t first, std::size_t count) const;
  // The stretch [from, to] in at most `columns` columns of equal width; empty ones are left out. With fewer points
  // than columns every point is a column of its own.
  std::vector<Column> columns(Axis axis, double from, double to, std::size_t columns) const;

 private:
  struct Block {
    double min, max, sum;
    std::uint32_t finite, count;
    std::size_t minAt = 0, maxAt = 0;
  };
  static constexpr std::size_t kFan = 16;  // points per block, blocks per block above
  static void merge(Block& into, const Block& other);
  void push(const Point& point);
  void cutTo(std::size_t count);
  void addToPyramid(double value);
  void startLevel(std::size_t level);
  void rebuildPyramid(std::size_t count);
  Block fold(std::size_t first, std::size_t end) const;
  double position(Axis axis, std::size_t index) const;

  Axis m_axis;
  std::vector<std::int64_t> m_steps;
  std::vector<double> m_times;
  std::vector<double> m_values;
  std::vector<std::vector<Block>> m_levels;
  std::vector<SupersededPart> m_superseded;
  std::uint64_t m_generation = 0;
};

}  // namespace roadtune::runs
