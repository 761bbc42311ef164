// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/synth_index.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/index.h"
#include "core/data/index/segment_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <thread>

namespace roadtune::data {

namespace {

constexpr std::uint64_t kFrames = 198, kCameras = 5, kSegmentImages = kFrames * kCameras;

// What belongs to segment `number` of `count` when `total` is dealt evenly.
std::uint64_t shareOfSegment(std::uint64_t total, std::uint64_t number, std::uint64_t count) {
  return total * (number + 1) / count - total * number / count;
}

template <std::size_t N>
std::size_t drawOne(Random& random, const double (&shares)[N]) {
  double left = random.uniform();
  for (std::size_t i = 0; i + 1 < N; ++i)
    if ((left -= shares[i]) < 0) return i;
  return N - 1;
}

Box drawBox(Random& random, double width, double height, std::uint64_t track) {
  static constexpr double kClassShares[] = {0.775, 0.218, 0.007};
  static constexpr std::uint8_t kClasses[] = {kVehicle, kPedestrian, kCyclist};
  static constexpr double kAspects[] = {1.6, 0.42, 0.75};
  const std::size_t which = drawOne(random, kClassShares);
  Box box;
  box.type = kClasses[which];
  // Labels are drawn on a canvas of 1520 pixels.
  constexpr double kCanvas = 1920.0 / 1520;
  box.h = std::clamp(std::exp(3.9 + 0.95 * random.normal()), 1.3, height);
  box.w = std::clamp(box.h * kAspects[which] * std::exp(0.35 * random.normal()), 1.3, width);
  box.h = std::max(1.0, std::round(box.h / kCanvas)) * kCanvas;
  box.w = std::max(1.0, std::round(box.w / kCanvas)) * kCanvas;
  box.x = std::clamp(random.uniform(-40, width - box.w + 40), 0.0, std::max(0.0, width - box.w));
  box.y = std::clamp(height * 0.5 + 0.18 * height * random.normal() - box.h / 2, 0.0, std::max(0.0, height - box.h));
  box.detectionLevel = box.h < 40 && random.below(3) == 0 ? 2 : random.below(12) == 0 ? 2 : 0;
  box.id = fmt::format("{:08x}-{:012x}", track, mix64(track) & 0xffffffffffffu);
  return box;
}

// How many boxes each image has: uneven, `boxes` altogether.
std::vector<std::uint64_t> dealBoxes(Random& random, std::uint64_t images, std::uint64_t boxes) {
  std::vector<double> weights;
  double sum = 0;
  for (std::uint64_t i = 0; i < images; ++i) {
    weights.push_back(random.below(10) == 0 ? 0 : std::exp(0.8 * random.normal()));
    sum += weights.back();
  }
  std::vector<std::uint64_t> counts;
  double before = 0;
  for (const double weight : weights) {
    const auto from = static_cast<std::uint64_t>(std::llround(before / sum * static_cast<double>(boxes)));
    before += weight;
    counts.push_back(static_cast<std::uint64_t>(std::llround(before / sum * static_cast<double>(boxes))) - from);
  }
  return counts;
}

Recording drawRecording(const SynthIndexOptions& options, std::uint64_t number, std::uint64_t segments) {
  static constexpr double kTimeShares[] = {0.80, 0.10, 0.10}, kPlaceShares[] = {0.51, 0.36, 0.13};
  static constexpr double kWeatherShares[] = {0.99, 0.01};
  static constexpr const char *kTimes[] = {"Day", "Night", "Dawn/Dusk"},
                              *kPlaces[] = {"location_sf", "location_phx", "location_other"},
                              *kWeathers[] = {"sunny", "rain"};
  Random random(mix64(options.seed) ^ mix64(number + 1));
  Recording recording;
  recording.name = fmt::format("{}{:020d}_{}_000_{}_000", kSynthContextPrefix, mix64(number ^ options.seed),
                               20 * number, 20 * number + 20);
  recording.split = number % 5 == 4 ? "validation" : "training";
  recording.time = kTimes[drawOne(random, kTimeShares)];
  recording.location = kPlaces[drawOne(random, kPlaceShares)];
  recording.weather = kWeathers[drawOne(random, kWeatherShares)];
  recording.format = "waymo-v1";
  const std::uint64_t images = shareOfSegment(options.images, number, segments);
  const auto counts = dealBoxes(random, images, shareOfSegment(options.boxes, number, segments));
  const std::int64_t start = 1'500'000'000'000'000 + static_cast<std::int64_t>(number) * 1'000'000'000;
  for (std::uint64_t i = 0; i < images; ++i) {
    const std::uint64_t frame = i / kCameras;
    RecordedImage image;
    image.timestamp = start + static_cast<std::int64_t>(frame) * 100'000;
    image.camera = kIndexedCameras[i % kCameras];
    image.width = 1920;
    image.height = image.camera == Camera::SideLeft || image.camera == Camera::SideRight ? 886 : 1280;
    image.labelled = counts[i] > 0 || random.below(20) != 0;
    for (std::uint64_t box = 0; box < counts[i]; ++box)
      image.boxes.push_back(
          drawBox(random, image.width, image.height, (frame / 30) * 1000 + (i % kCameras) * 200 + box));
    recording.positions[image.timestamp] = {static_cast<double>(frame), static_cast<double>(number), 0};
    recording.images.push_back(std::move(image));
  }
  return recording;
}

}  // namespace

Result<SynthIndexOutcome> writeSynthIndex(const SynthIndexOptions& options, ProgressSink& progress) {
  if (options.images == 0) return badInput("an index needs at least one image", "--images");
  if (Index::looksLikeIndex(options.out))
    return badInput("holds an index", options.out.string(), "choose another --out");
  const std::uint64_t segments = (options.images + kSegmentImages - 1) / kSegmentImages;
  const IndexLayout layout{fs::absolute(options.out).lexically_normal()};
  ROADTUNE_CHECK(makeFolders(layout.segmentFolder()));
  Catalogue::Unit unit{.key = "synth:index", .sources = {}, .segments = {}, .problems = {}};
  for (std::uint64_t s = 0; s < segments; ++s) unit.segments.push_back(fmt::format("synth-{:06d}", s));
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::optional<Error> error;
  const auto work = [&] {
    for (std::uint64_t s = next++; s < segments && !stop; s = next++) {
      std::vector<Problem> problems;
      const Result<SegmentInfo> written = writeSegment(drawRecording(options, s, segments), {}, unit.key, {},
                                                       layout.segment(unit.segments[s]), problems);
      if (!written.ok()) {
        const std::lock_guard lock(mutex);
        error = written.error();
        stop = true;
      }
      if (!progress.report({"drawing labels", ++done, segments, "segments"})) stop = true;
    }
  };
  std::vector<std::thread> threads;
  const unsigned wanted = options.jobs > 0 ? static_cast<unsigned>(options.jobs) : std::thread::hardware_concurrency();
  for (unsigned i = 1; i < wanted; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (error) return *error;
  if (stop) return cancelled();
  Catalogue catalogue;
  catalogue.units.push_back(std::move(unit));
  ROADTUNE_CHECK(writeCatalogue(layout, catalogue));
  return SynthIndexOutcome{segments, options.images, options.boxes};
}

}  // namespace roadtune::data
