// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures: drawing, JPEG, resizing. One thread; times are CPU times of a FRONT picture of 1920x1280 where not said.
#include "core/base/files.h"
#include "core/data/image/decode.h"
#include "core/data/image/encode.h"
#include "core/data/image/image_header.h"
#include "core/data/image/perceptual_hash.h"
#include "core/data/image/resize.h"
#include "core/data/index/thumbnail_pack.h"
#include "core/data/synth/renderer.h"

#include <benchmark/benchmark.h>

namespace roadtune::data {
namespace {

const synth::Scene& scene() {
  static const synth::Scene street = synth::makeScene({.seed = 12, .duration = 5});
  return street;
}

const Image& picture() {
  static const Image image = synth::renderScene(scene(), synth::cameraMount(Camera::Front), 1, {1}).image;
  return image;
}

const std::string& jpeg() {
  static const std::string bytes = encodeJpeg(picture()).value();
  return bytes;
}

void perPixel(benchmark::State& state, const Image& image) {
  state.counters["pixels/s"] =
      benchmark::Counter(static_cast<double>(image.pixels.size() / 3), benchmark::Counter::kIsIterationInvariantRate);
}

void decodesJpeg(benchmark::State& state) {
  jpeg();
  for (auto _ : state) benchmark::DoNotOptimize(decodeImage(asBytes(jpeg())));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * jpeg().size()));
  perPixel(state, picture());
}
BENCHMARK(decodesJpeg)->Unit(benchmark::kMillisecond);

void makesThumbnail(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(decodeThumbnail(asBytes(jpeg()), 240, 160));
}
BENCHMARK(makesThumbnail)->Unit(benchmark::kMillisecond);

// A screen of the grid: found in their pack, and decoded.
void opensSixtyKeptThumbnails(benchmark::State& state) {
  const fs::path folder = makeTemporaryFolder("roadtune-bench").value();
  ThumbnailPack pack(folder / "pack");
  const std::string small = encodeJpeg(decodeThumbnail(asBytes(jpeg()), 240, 160).value()).value();
  constexpr std::uint32_t kScreen = 60;
  for (std::uint32_t row = 0; row < kScreen; ++row)
    if (!pack.add(row, small).ok()) return state.SkipWithError("cannot write");
  for (auto _ : state)
    for (std::uint32_t row = 0; row < kScreen; ++row)
      benchmark::DoNotOptimize(decodeImage(asBytes(pack.find(row).value())));
  fs::remove_all(folder);
}
BENCHMARK(opensSixtyKeptThumbnails)->Unit(benchmark::kMillisecond);

void readsJpegHeader(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(readJpegHeader(asBytes(jpeg())));
}
BENCHMARK(readsJpegHeader);

void encodesJpeg(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(encodeJpeg(picture()));
  perPixel(state, picture());
}
BENCHMARK(encodesJpeg)->Unit(benchmark::kMillisecond);

void resizes(benchmark::State& state, ResizeKernel kernel) {
  const int side = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(resizeBicubic(picture(), side, side, kernel));
  perPixel(state, picture());
}
BENCHMARK_CAPTURE(resizes, scalar, ResizeKernel::Scalar)->Arg(224)->Arg(448)->Arg(896)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(resizes, fastest, ResizeKernel::Auto)->Arg(224)->Arg(448)->Arg(896)->Unit(benchmark::kMillisecond);

void hashesPicture(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(perceptualHash(picture()));
}
BENCHMARK(hashesPicture)->Unit(benchmark::kMillisecond);

// Argument: percent of the full size.
void drawsScene(benchmark::State& state) {
  const double scale = static_cast<double>(state.range(0)) / 100;
  double time = 0;
  for (auto _ : state) {
    const auto drawn = synth::renderScene(scene(), synth::cameraMount(Camera::Front), time, {scale});
    benchmark::DoNotOptimize(encodeJpeg(drawn.image));
    time = time < 4 ? time + 0.1 : 0;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(drawsScene)->Arg(10)->Arg(25)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roadtune::data
