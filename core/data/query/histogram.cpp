// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/engine_parts.h"

#include <algorithm>
#include <map>
#include <span>
#include <thread>
#include <vector>

namespace roadtune::data {

namespace {

struct Bins {
  double low = 0, scale = 1;
  std::vector<std::uint64_t> counts;
  std::map<double, std::vector<std::uint16_t>> tables = {};

  std::size_t at(double value) const {
    return static_cast<std::size_t>(std::clamp((value - low) * scale, 0.0, static_cast<double>(counts.size()) - 1));
  }
  void add(double value) { ++counts[at(value)]; }
  const std::vector<std::uint16_t>& tableFor(double side);
};

// The bin of every value that a coarse column can have, times `scale`.
std::vector<std::uint16_t> binTable(const Bins& bins, double scale) {
  std::vector<std::uint16_t> table(65536);
  for (std::size_t stored = 0; stored < table.size(); ++stored)
    table[stored] = static_cast<std::uint16_t>(bins.at(static_cast<double>(stored) * scale));
  return table;
}

const std::vector<std::uint16_t>& Bins::tableFor(double side) {
  std::vector<std::uint16_t>& table = tables[side];
  if (table.empty()) table = binTable(*this, side);
  return table;
}

// Adds the boxes (or the images themselves) of one segment's wanted images.
class SegmentBins {
 public:
  SegmentBins(const Segment& segment, Measure measure, int modelSize, Bins& bins)
      : m_images(segment.images()),
        m_boxes(segment.boxes()),
        m_measure(measure),
        m_modelSize(modelSize),
        m_bins(bins) {}

  void run(const Bitmap& wanted, std::size_t first) {
    for (std::size_t row = 0; row < m_images.size(); ++row)
      if (wanted.test(first + row)) addImage(row);
  }

 private:
  void addImage(std::size_t row) {
    const std::size_t begin = m_images.boxStart[row], end = m_images.boxStart[row + 1];
    const double q = m_boxes.quantum;
    switch (m_measure) {
      case Measure::BoxesPerImage: return m_bins.add(static_cast<double>(end - begin));
      case Measure::BoxHeight: return addSides(m_boxes.h, q, begin, end);
      case Measure::BoxWidth: return addSides(m_boxes.w, q, begin, end);
      case Measure::ModelHeight: return addSides(m_boxes.h, q * scaleOf(m_images.height[row]), begin, end);
      case Measure::BoxArea: return addAreas(q * q, begin, end);
      case Measure::ModelArea:
        return addAreas(q * q * scaleOf(m_images.width[row]) * scaleOf(m_images.height[row]), begin, end);
      case Measure::BoxAspect: break;
    }
    for (std::size_t i = begin; i < end; ++i)
      m_bins.add(m_boxes.h[i] > 0 ? static_cast<double>(m_boxes.w[i]) / m_boxes.h[i] : 0);
  }

  double scaleOf(std::uint16_t side) const { return side > 0 ? static_cast<double>(m_modelSize) / side : 1; }

  // One coordinate: looked up, in a table per scale.
  void addSides(std::span<const std::uint16_t> sides, double scale, std::size_t begin, std::size_t end) {
    const std::vector<std::uint16_t>& table = m_bins.tableFor(scale);
    std::uint64_t* counts = m_bins.counts.data();
    for (std::size_t i = begin; i < end; ++i) ++counts[table[sides[i]]];
  }

  void addAreas(double scale, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      m_bins.add(static_cast<double>(static_cast<std::uint32_t>(m_boxes.w[i]) * m_boxes.h[i]) * scale);
  }

  const ImageColumns& m_images;
  const BoxColumns& m_boxes;
  Measure m_measure;
  int m_modelSize;
  Bins& m_bins;
};

}  // namespace

Result<Histogram> QueryEngine::histogram(const Query& query, Measure measure, int bins, double low, double high,
                                         int modelSize, const CancelToken& cancel) {
  QueryError where;
  ROADTUNE_CHECK(check(query, where));
  constexpr int kMostBins = 65536;
  if (bins < 1 || bins > kMostBins || !(high > low))
    return badInput("a histogram needs between 1 and 65536 bins, and low < high");
  Evaluator& evaluator = m_parts->evaluator;
  ROADTUNE_TRY(const Bitmap wanted, evaluator.evaluate(*query.plan().where, cancel));
  Histogram result{.low = low, .high = high, .counts = std::vector<std::uint64_t>(static_cast<std::size_t>(bins))};
  const Index& index = evaluator.index();
  // A few equal parts, so that each thread makes its tables once.
  const std::size_t parts = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Bins> own(parts, Bins{low, bins / (high - low), result.counts});
  std::vector<std::thread> threads;
  const auto work = [&](std::size_t part) {
    for (std::size_t s = part; s < index.segmentCount() && !cancel.cancelled(); s += parts)
      SegmentBins(index.segment(s), measure, modelSize, own[part]).run(wanted, index.firstImage(s));
  };
  for (std::size_t part = 1; part < parts; ++part) threads.emplace_back(work, part);
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (cancel.cancelled()) return cancelled();
  for (const Bins& one : own)
    for (std::size_t i = 0; i < result.counts.size(); ++i) result.counts[i] += one.counts[i];
  for (const std::uint64_t count : result.counts) result.total += count;
  return result;
}

}  // namespace roadtune::data
