// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/quality/stationary.h"

#include <algorithm>
#include <cmath>

namespace roadtune::data {

namespace {

// Metres a second from frame i to the next; not a number where a pose is missing or time stands still.
double speedAfter(const Segment& segment, std::size_t i) {
  const auto times = segment.frameTimestamps();
  const auto at = segment.framePositions();
  const double seconds = static_cast<double>(times[i + 1] - times[i]) * 1e-6;
  if (seconds <= 0) return std::nan("");
  const double x = at[3 * i + 3] - at[3 * i], y = at[3 * i + 4] - at[3 * i + 1], z = at[3 * i + 5] - at[3 * i + 2];
  return std::sqrt(x * x + y * y + z * z) / seconds;
}

std::size_t imagesBetween(const Segment& segment, std::int64_t first, std::int64_t last) {
  const auto& times = segment.images().timestamp;
  return static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), last) -
                                  std::lower_bound(times.begin(), times.end(), first));
}

}  // namespace

StationaryFrames findStationary(const Index& index, double speed, std::size_t minFrames) {
  StationaryFrames result;
  for (std::size_t s = 0; s < index.segmentCount(); ++s) {
    const Segment& segment = index.segment(s);
    const auto times = segment.frameTimestamps();
    if (times.empty() || segment.framePositions().size() != 3 * times.size()) continue;
    for (std::size_t i = 0; i < times.size(); ++i)
      result.framesWithPose += !std::isnan(segment.framePositions()[3 * i]);
    for (std::size_t begin = 0, end; begin < times.size(); begin = end + 1) {
      end = begin;
      while (end + 1 < times.size() && speedAfter(segment, end) < speed) ++end;
      const std::size_t frames = end - begin + 1;
      if (frames < minFrames) continue;
      const std::size_t images = imagesBetween(segment, times[begin], times[end]);
      result.stretches.push_back({segment.info().name, times[begin], times[end], frames, images});
      result.frames += frames;
      result.redundantFrames += frames - 1;
      result.redundantImages += images - imagesBetween(segment, times[begin], times[begin]);
    }
  }
  std::stable_sort(result.stretches.begin(), result.stretches.end(),
                   [](const StationaryStretch& a, const StationaryStretch& b) { return a.frames > b.frames; });
  return result;
}

}  // namespace roadtune::data
