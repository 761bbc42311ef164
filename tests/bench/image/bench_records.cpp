// SPDX-License-Identifier: GPL-3.0-or-later
// TFRecord: walking the labels of a file that lies in the page cache, with and without the payload CRC. Records have
// the proportions of real ones: 2.2 MB, of which 1.7 MB are pictures, 0.4 MB lidar and 22 kB labels.
#include "core/base/files.h"
#include "core/data/records/tfrecord_reader.h"
#include "core/data/records/tfrecord_writer.h"
#include "core/data/records/waymo_v1_reader.h"
#include "core/data/records/waymo_v1_writer.h"
#include "core/data/records/wire_writer.h"

#include <benchmark/benchmark.h>

#include <cstdlib>

namespace roadtune::data {
namespace {

WaymoLabel label(int number) {
  WaymoLabel out;
  out.id = "01234567-89ab-cdef-0123-" + std::to_string(100000000000 + number);
  out.type = 1 + number % 4;
  out.centerX = 10 * number;
  out.centerY = 500;
  out.length = 30;
  out.width = 20;
  return out;
}

std::string realisticRecord() {
  WaymoFrame frame;
  frame.context = "10023947602400723454_1120_000_1140_000";
  frame.timestampMicros = 1550083467346370;
  frame.pose = Transform{};
  for (int camera = 1; camera <= 5; ++camera) {
    WaymoImage image;
    image.camera = camera;
    image.pose = Transform{};
    frame.images.push_back(image);
    WaymoCalibration calibration;
    calibration.camera = camera;
    calibration.extrinsic = Transform{};
    frame.calibrations.push_back(calibration);
    WaymoCameraLabels labels{camera, {}};
    for (int i = 0; i < 13; ++i) labels.labels.push_back(label(100 * camera + i));
    frame.cameraLabels.push_back(labels);
    frame.projectedLabels.push_back(labels);
  }
  for (int i = 0; i < 75; ++i) frame.laserLabels.push_back(label(i));
  const std::string jpeg(340'000, '\x77');
  const std::string head = writeWaymoFrame(frame, [&](const WaymoImage&) -> std::string_view { return jpeg; });
  WireWriter lidar;
  lidar.bytes(5, std::string(400'000, '\x55'));
  return head + lidar.data();
}

const fs::path& recording() {
  static const fs::path path = [] {
    const auto folder = makeTemporaryFolder("roadtune-bench-");
    if (!folder.ok()) std::abort();
    std::string file;
    const std::string record = realisticRecord();
    for (int i = 0; i < 100; ++i) appendTfRecord(file, record);
    const fs::path out = folder.value() / "a.tfrecord";
    if (!writeFileAtomically(out, file).ok()) std::abort();
    std::atexit([] { fs::remove_all(recording().parent_path()); });
    return out;
  }();
  return path;
}

void walk(benchmark::State& state, TfRecordReader::PayloadCrc crc) {
  std::uint64_t bytes = 0, boxes = 0;
  recording();
  for (auto _ : state) {
    auto reader = TfRecordReader::open(recording(), crc).value();
    while (const auto record = reader.next()) {
      const auto frame = readWaymoFrame(record->payload, record->payloadOffset);
      for (const auto& labels : frame.value().cameraLabels) boxes += labels.labels.size();
    }
    bytes += reader.bytes().size();
  }
  benchmark::DoNotOptimize(boxes);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK_CAPTURE(walk, labels, TfRecordReader::PayloadCrc::Skip)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, labelsAndCrc, TfRecordReader::PayloadCrc::Check)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roadtune::data
