// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/waymo_v1_sink.h"

#include "core/base/files.h"
#include "core/data/records/tfrecord_writer.h"
#include "core/data/records/waymo_v1_writer.h"

#include <fmt/format.h>

#include <optional>

namespace roadtune::data {

namespace {

class WaymoV1Sink : public SynthSink {
 public:
  explicit WaymoV1Sink(fs::path folder) : m_folder(std::move(folder)) {}
  ~WaymoV1Sink() override {
    std::error_code ignored;
    if (m_file) fs::remove(m_part, ignored);  // ended in the middle of a segment
  }
  WaymoV1Sink(const WaymoV1Sink&) = delete;
  WaymoV1Sink& operator=(const WaymoV1Sink&) = delete;

  Status beginSegment(const std::string& context) override {
    ROADTUNE_CHECK(makeFolders(m_folder));
    m_path = m_folder / fmt::format("segment-{}_with_camera_labels.tfrecord", context);
    m_part = m_path;
    m_part += ".part";
    std::error_code ignored;
    fs::remove(m_part, ignored);
    ROADTUNE_TRY(auto file, AppendFile::open(m_part));
    m_file = std::move(file);
    return {};
  }

  Status add(const SynthFrame& frame) override {
    std::string record;
    appendTfRecord(record, writeWaymoFrame(frame.frame, [&](const WaymoImage& image) { return frame.jpegOf(image); }));
    return m_file->append(record);
  }

  Status endSegment() override {
    ROADTUNE_CHECK(m_file->sync());
    m_file.reset();
    std::error_code code;
    fs::rename(m_part, m_path, code);
    if (code) return systemError(code.value(), "cannot rename", m_part.string());
    return {};
  }
  Status finish() override { return {}; }

 private:
  fs::path m_folder, m_path, m_part;
  std::optional<AppendFile> m_file;
};

}  // namespace

std::unique_ptr<SynthSink> makeWaymoV1Sink(const std::filesystem::path& folder) {
  return std::make_unique<WaymoV1Sink>(folder);
}

}  // namespace roadtune::data
