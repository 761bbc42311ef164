// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/waymo_v1_sink.h"

#include "core/base/files.h"
#include "core/data/records/tfrecord_writer.h"
#include "core/data/records/waymo_v1_writer.h"

#include <fmt/format.h>

#include <map>

namespace roadtune::data {

namespace {

class WaymoV1Sink : public SynthSink {
 public:
  WaymoV1Sink(fs::path folder, Corruption corruption) : m_folder(std::move(folder)), m_corruption(corruption) {}

  Status beginSegment(const std::string& context) override {
    ROADTUNE_CHECK(makeFolders(m_folder));
    m_path = m_folder / fmt::format("segment-{}_with_camera_labels.tfrecord", context);
    m_part = m_path;
    m_part += ".part";
    std::error_code ignored;
    fs::remove(m_part, ignored);
    ROADTUNE_TRY(auto file, AppendFile::open(m_part));
    m_file = std::move(file);
    m_held.clear();
    m_frames = 0;
    ++m_segments;
    return {};
  }

  // One record is held back, so that damage can be put into the last one.
  Status add(const SynthFrame& frame) override {
    ROADTUNE_CHECK(flush());
    const std::string payload = m_corruption == Corruption::MissingCamera && m_segments % 2 == 1
                                    ? withoutCamera(frame)
                                    : serialised(frame.frame, frame);
    appendTfRecord(m_held, payload);
    if (m_frames == 1 && m_corruption == Corruption::Crc) flipInside(frame);
    if (m_frames == 1 && m_corruption == Corruption::Garbage) m_held.insert(0, std::string(777, '\x5a'));
    ++m_frames;
    return {};
  }

  Status endSegment() override {
    if (m_corruption == Corruption::Truncate) m_held.resize(m_held.size() / 2);
    ROADTUNE_CHECK(flush());
    ROADTUNE_CHECK(m_file->sync());
    m_file.reset();
    std::error_code code;
    fs::rename(m_part, m_path, code);
    if (code) return systemError(code.value(), "cannot rename", m_part.string());
    return {};
  }
  Status finish() override { return {}; }

 private:
  Status flush() {
    if (m_held.empty()) return {};
    ROADTUNE_CHECK(m_file->append(m_held));
    m_held.clear();
    return {};
  }

  static std::string serialised(const WaymoFrame& frame, const SynthFrame& source) {
    return writeWaymoFrame(frame, [&](const WaymoImage& image) {
      return source.jpegOf(source.frame.images[static_cast<std::size_t>(&image - frame.images.data())]);
    });
  }

  static std::string withoutCamera(const SynthFrame& source) {
    constexpr int kMissing = static_cast<int>(Camera::FrontLeft);
    SynthFrame rest = source;
    for (std::size_t i = rest.frame.images.size(); i-- > 0;) {
      if (rest.frame.images[i].camera != kMissing) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      rest.frame.images.erase(rest.frame.images.begin() + at);
      rest.jpegs.erase(rest.jpegs.begin() + at);
      rest.frame.cameraLabels.erase(rest.frame.cameraLabels.begin() + at);
      rest.frame.projectedLabels.erase(rest.frame.projectedLabels.begin() + at);
    }
    return serialised(rest.frame, rest);
  }

  void flipInside(const SynthFrame& frame) {
    const std::size_t at = m_held.find(frame.jpegs.front());
    if (at != std::string::npos) m_held[at + frame.jpegs.front().size() / 2] ^= 0x10;
  }

  fs::path m_folder, m_path, m_part;
  Corruption m_corruption;
  std::optional<AppendFile> m_file;
  std::string m_held;
  int m_frames = 0, m_segments = 0;
};

}  // namespace

std::optional<Corruption> corruptionFromName(const std::string& name) {
  static const std::map<std::string, Corruption> names = {
      {"", Corruption::None},   {"none", Corruption::None},       {"truncate", Corruption::Truncate},
      {"crc", Corruption::Crc}, {"garbage", Corruption::Garbage}, {"missing-camera", Corruption::MissingCamera}};
  const auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

std::unique_ptr<SynthSink> makeWaymoV1Sink(const std::filesystem::path& folder, Corruption corruption) {
  return std::make_unique<WaymoV1Sink>(folder, corruption);
}

}  // namespace roadtune::data
