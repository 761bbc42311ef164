// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/import.h"
#include "core/data/index/index.h"
#include "tests/support/temp_folder.h"

#include <memory>
#include <string>
#include <vector>

namespace roadtune::data {

// Hands over recordings from memory, for a file that only stands for them. Pictures are short texts, kept in the blob.
class FakeReader : public RecordingReader {
 public:
  explicit FakeReader(std::vector<Recording> recordings) : m_recordings(std::move(recordings)) {}

  std::string format() const override { return "fake"; }

  Result<std::vector<ImportUnit>> discover(const std::filesystem::path& path) const override {
    if (path.extension() != ".fake") return std::vector<ImportUnit>{};
    return std::vector<ImportUnit>{{.name = path.string(), .split = "", .files = {path}, .base = path.parent_path()}};
  }

  Status read(const ImportUnit&, RecordingSink& sink) const override {
    ++reads;
    for (Recording recording : m_recordings) {
      ROADTUNE_CHECK(sink.announce(recording.name, recording.waymo));
      for (RecordedImage& image : recording.images) {
        if (!sink.advance(1)) return cancelled();
        if (image.file != RecordedImage::kBlob) continue;
        const std::string bytes = fakeBytes(recording.name, image);
        ROADTUNE_TRY(image.offset,
                     sink.storeBytes({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
        image.length = static_cast<std::uint32_t>(bytes.size());
      }
      ROADTUNE_CHECK(sink.deliver(std::move(recording)));
    }
    return {};
  }

  static std::string fakeBytes(const std::string& segment, const RecordedImage& image) {
    return "picture of " + segment + " " + std::to_string(image.timestamp) + std::string(cameraName(image.camera));
  }

  mutable int reads = 0;

 private:
  std::vector<Recording> m_recordings;
};

class QuietProgress : public ProgressSink {
 public:
  bool report(const Progress&) override { return stopAfter < 0 || ++reports <= stopAfter; }
  int stopAfter = -1, reports = 0;
};

inline RecordedImage fakeImage(std::int64_t timestamp, Camera camera, std::vector<Box> boxes, bool labelled = true) {
  RecordedImage image;
  image.timestamp = timestamp;
  image.camera = camera;
  image.file = RecordedImage::kBlob;
  image.width = 1920;
  image.height = camera == Camera::SideLeft || camera == Camera::SideRight ? 886 : 1280;
  image.labelled = labelled;
  image.boxes = std::move(boxes);
  return image;
}

inline Box fakeBox(std::uint8_t type, double x, double y, double w, double h, int level = 0, std::string id = "t") {
  return {.x = x,
          .y = y,
          .w = w,
          .h = h,
          .type = type,
          .detectionLevel = static_cast<std::uint8_t>(level),
          .trackingLevel = 0,
          .id = std::move(id)};
}

inline Recording fakeRecording(std::string name, std::string split, std::string time = "Day") {
  Recording recording;
  recording.name = std::move(name);
  recording.split = std::move(split);
  recording.time = std::move(time);
  recording.location = "location_sf";
  recording.weather = "sunny";
  recording.format = "waymo-v1";
  recording.projected = true;
  return recording;
}

// Imports the recordings below `folder` and opens the index; aborts the test program when that fails.
inline std::shared_ptr<const Index> makeIndex(const testing::TempFolder& folder, std::vector<Recording> recordings) {
  ImportRequest request;
  request.sources = {folder.write("source.fake", "stands for recordings")};
  request.out = folder / "index";
  request.jobs = 1;
  RecordingReaders readers;
  readers.push_back(std::make_unique<FakeReader>(std::move(recordings)));
  QuietProgress progress;
  const Result<ImportOutcome> outcome = importInto(request, readers, progress);
  if (!outcome.ok()) std::abort();
  return Index::open(request.out).value();
}

}  // namespace roadtune::data
