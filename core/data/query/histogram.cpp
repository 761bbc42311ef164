// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/box_program.h"
#include "core/data/query/engine_parts.h"

#include <algorithm>
#include <mutex>

namespace roadtune::data {

namespace {

struct Bins {
  double low = 0, scale = 1;
  std::vector<std::uint64_t> counts;

  void add(double value) {
    const double at = std::clamp((value - low) * scale, 0.0, static_cast<double>(counts.size()) - 1);
    ++counts[static_cast<std::size_t>(at)];
  }
};

// What one box contributes, given the image's size in pixels.
double measureBox(const BoxColumns& b, std::size_t i, Measure measure, double scaleX, double scaleY) {
  const double w = b.w[i] * b.quantum, h = b.h[i] * b.quantum;
  switch (measure) {
    case Measure::BoxHeight: return h;
    case Measure::BoxWidth: return w;
    case Measure::BoxArea: return w * h;
    case Measure::BoxAspect: return h > 0 ? w / h : 0;
    case Measure::ModelHeight: return h * scaleY;
    case Measure::ModelArea: return w * scaleX * h * scaleY;
    case Measure::BoxesPerImage: break;
  }
  return 0;
}

void addSegment(const Segment& segment, const Bitmap& wanted, std::size_t first, Measure measure, int modelSize,
                Bins& bins) {
  const ImageColumns& images = segment.images();
  for (std::size_t row = 0; row < images.size(); ++row) {
    if (!wanted.test(first + row)) continue;
    const std::size_t begin = images.boxStart[row], end = images.boxStart[row + 1];
    if (measure == Measure::BoxesPerImage) {
      bins.add(static_cast<double>(end - begin));
      continue;
    }
    const double scaleX = images.width[row] > 0 ? static_cast<double>(modelSize) / images.width[row] : 1;
    const double scaleY = images.height[row] > 0 ? static_cast<double>(modelSize) / images.height[row] : 1;
    for (std::size_t i = begin; i < end; ++i) bins.add(measureBox(segment.boxes(), i, measure, scaleX, scaleY));
  }
}

}  // namespace

Result<Histogram> QueryEngine::histogram(const Query& query, Measure measure, int bins, double low, double high,
                                         int modelSize, const CancelToken& cancel) {
  QueryError where;
  ROADTUNE_CHECK(check(query, where));
  if (bins < 1 || !(high > low)) return badInput("a histogram needs at least one bin and low < high");
  Evaluator& evaluator = m_parts->evaluator;
  ROADTUNE_TRY(const Bitmap wanted, evaluator.evaluate(*query.plan().where, cancel));
  Histogram result{.low = low, .high = high, .counts = std::vector<std::uint64_t>(static_cast<std::size_t>(bins))};
  std::mutex mutex;
  const Bins empty{low, bins / (high - low), result.counts};
  ROADTUNE_CHECK(evaluator.forEachSegment(cancel, [&](std::size_t s) {
    Bins own = empty;
    addSegment(evaluator.index().segment(s), wanted, evaluator.index().firstImage(s), measure, modelSize, own);
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < own.counts.size(); ++i) result.counts[i] += own.counts[i];
  }));
  for (const std::uint64_t count : result.counts) result.total += count;
  return result;
}

}  // namespace roadtune::data
