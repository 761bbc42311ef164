// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/generate.h"

#include "core/base/hash.h"
#include "core/base/units.h"
#include "core/data/synth/segment.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace roadtune::data {

namespace {

using synth::Segment;

constexpr int kMostFrames = 20'000;  // half an hour; planning a street takes time with the square of its length

struct Batch {
  int firstFrame = 0, frames = 0;
  std::vector<Result<Segment::Shot>> shots;  // frame by frame, camera by camera
};

// Draws the pictures of several frames with some threads; each takes the next picture that nobody has.
void drawBatch(const Segment& segment, Batch& batch, unsigned jobs) {
  const std::size_t count = static_cast<std::size_t>(batch.frames) * segment.shots();
  batch.shots.assign(count, failed("not drawn"));
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++)
      batch.shots[i] = segment.shoot(batch.firstFrame + static_cast<int>(i / segment.shots()), i % segment.shots());
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
}

Status hand(const Segment& segment, Batch& batch, SynthSink& sink, SynthCounts& counts) {
  for (int f = 0; f < batch.frames; ++f) {
    SynthFrame out{segment.describe(batch.firstFrame + f), {}};
    for (std::size_t i = 0; i < segment.shots(); ++i) {
      ROADTUNE_TRY(auto shot, std::move(batch.shots[static_cast<std::size_t>(f) * segment.shots() + i]));
      counts.boxes += shot.labels.labels.size();
      out.jpegs.push_back(std::move(shot.jpeg));
      out.frame.images.push_back(std::move(shot.image));
      out.frame.cameraLabels.push_back(std::move(shot.labels));
      out.frame.projectedLabels.push_back(std::move(shot.projected));
    }
    counts.images += segment.shots();
    ++counts.frames;
    ROADTUNE_CHECK(sink.add(out));
  }
  return {};
}

Status check(const SynthOptions& options) {
  if (options.segments < 1 || options.frames < 1) return badInput("at least one segment and one frame are needed");
  if (options.frames > kMostFrames)
    return badInput(fmt::format("a segment has at most {} frames", formatCount(kMostFrames)), "--frames",
                    "more --segments");
  if (!(options.scale > 0.009 && options.scale <= 2))
    return badInput("the scale must lie between 0.01 and 2", "--scale");
  if (options.cameras.empty()) return badInput("no camera is left", "--cameras");
  for (const Camera camera : options.cameras)
    if (!isIndexedCamera(static_cast<int>(camera)))
      return badInput(fmt::format("camera {} cannot be drawn", cameraName(camera)), "--cameras",
                      "use front, front_left, front_right, side_left, side_right");
  return {};
}

}  // namespace

std::string synthContextName(const SynthOptions& options, int segment) {
  const std::uint64_t bits = mix64(mix64(options.seed) + static_cast<std::uint64_t>(segment));
  const std::uint64_t start = bits % 8000;
  return fmt::format("{}{:020}_{}_{:03}_{}_{:03}", kSynthContextPrefix, bits, start, 0,
                     start + static_cast<std::uint64_t>(options.frames) / 10,
                     static_cast<std::uint64_t>(options.frames) % 10 * 100);
}

Result<SynthCounts> generateSynth(const SynthOptions& options, SynthSink& sink, ProgressSink& progress) {
  ROADTUNE_CHECK(check(options));
  const unsigned jobs =
      options.jobs > 0 ? static_cast<unsigned>(options.jobs) : std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t total = static_cast<std::uint64_t>(options.segments) *
                              static_cast<std::uint64_t>(options.frames) * options.cameras.size();
  SynthCounts counts;
  for (int index = 0; index < options.segments; ++index) {
    const Segment segment(options, index);
    ROADTUNE_CHECK(sink.beginSegment(segment.context()));
    const int step = std::max(1, static_cast<int>(2 * jobs / segment.shots()));
    for (int first = 0; first < options.frames; first += step) {
      Batch batch{first, std::min(step, options.frames - first), {}};
      drawBatch(segment, batch, jobs);
      ROADTUNE_CHECK(hand(segment, batch, sink, counts));
      if (!progress.report({"drawing", counts.images, total, "images", segment.context()})) return cancelled();
    }
    ROADTUNE_CHECK(sink.endSegment());
    ++counts.segments;
  }
  ROADTUNE_CHECK(sink.finish());
  return counts;
}

}  // namespace roadtune::data
