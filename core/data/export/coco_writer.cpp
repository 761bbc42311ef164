// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/base/mapped_file.h"
#include "core/data/export/export_writer.h"
#include "core/data/export/output_file.h"
#include "core/data/index/waymo_license.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace roadtune::data {

namespace {

using nlohmann::ordered_json;

// The annotations are collected in a file of their own while the images are written, and appended at the end.
class CocoWriter : public ExportWriter {
 public:
  CocoWriter(const ExportContext& context, OutputFile out, fs::path aside, AppendFile annotations)
      : m_context(context), m_out(std::move(out)), m_aside(std::move(aside)), m_annotations(std::move(annotations)) {}
  ~CocoWriter() override { ::unlink(m_aside.c_str()); }

  Status begin() override {
    ordered_json info = {{"description", "Exported by Roadtune"}, {"version", ROADTUNE_VERSION}};
    ordered_json licenses = ordered_json::array();
    if (m_context.waymo) {
      info["attribution"] = waymoAttribution();
      licenses.push_back({{"id", 1},
                          {"name", "Waymo Dataset License Agreement for Non-Commercial Use"},
                          {"url", "https://waymo.com/open/terms"}});
    }
    return m_out.write("{\"info\":" + jsonLine(info) + ",\n\"licenses\":" + jsonLine(licenses) + ",\n\"images\":[");
  }

  Status add(const ExportImage& image) override {
    const SegmentInfo& segment = image.segment->info();
    ordered_json value = {{"id", ++m_images},
                          {"file_name", image.reference},
                          {"width", image.info.width},
                          {"height", image.info.height},
                          {"segment", segment.name},
                          {"timestamp_micros", image.info.timestamp},
                          {"camera", cameraName(image.info.camera)},
                          {"split", segment.split},
                          {"time_of_day", segment.time},
                          {"location", segment.location},
                          {"weather", segment.weather}};
    if (segment.waymo) value["license"] = 1;
    ROADTUNE_CHECK(m_out.write((m_images > 1 ? ",\n" : "\n") + jsonLine(value)));
    for (const Box& box : image.boxes) ROADTUNE_CHECK(addBox(box, false));
    for (const Box& box : image.crowds) ROADTUNE_CHECK(addCrowd(box));
    return {};
  }
  bool hasWordFor(const Box&) const override { return true; }

  Status end() override {
    ROADTUNE_CHECK(m_out.write("],\n\"annotations\":["));
    ROADTUNE_CHECK(flush());
    ROADTUNE_CHECK(appendAnnotations());
    ordered_json categories = ordered_json::array();
    for (std::size_t i = 0; i < m_context.classes.numbers.size(); ++i)
      if (m_context.classes.numbers[i] != kUnknown || m_sawUnknown)
        categories.push_back(
            {{"id", m_context.classes.numbers[i]}, {"name", m_context.classes.names[i]}, {"supercategory", "object"}});
    ROADTUNE_CHECK(m_out.write("],\n\"categories\":" + jsonLine(categories) + "}\n"));
    return m_out.finish();
  }

 private:
  // COCO's crowds are of one class each.
  Status addCrowd(Box crowd) {
    const std::uint8_t type = crowd.type;
    for (const std::uint8_t number : m_context.classes.numbers) {
      if (number == kUnknown || !crowdIsOf(type, number)) continue;
      crowd.type = number;
      ROADTUNE_CHECK(addBox(crowd, true));
    }
    return {};
  }

  Status addBox(const Box& box, bool crowd) {
    m_sawUnknown = m_sawUnknown || box.type == kUnknown;
    const ordered_json value = {{"id", ++m_boxes},
                                {"image_id", m_images},
                                {"category_id", box.type},
                                {"bbox", {rounded(box.x), rounded(box.y), rounded(box.w), rounded(box.h)}},
                                {"area", rounded(box.area())},
                                {"iscrowd", crowd ? 1 : 0},
                                {"detection_difficulty", levelName(box.detectionLevel)},
                                {"tracking_difficulty", levelName(box.trackingLevel)},
                                {"track_id", box.id}};
    m_buffer += (m_boxes > 1 ? ",\n" : "\n") + jsonLine(value);
    constexpr std::size_t kPiece = 1 << 20;
    return m_buffer.size() < kPiece ? Status() : flush();
  }

  Status flush() {
    ROADTUNE_CHECK(m_annotations.append(m_buffer));
    m_buffer.clear();
    return {};
  }

  Status appendAnnotations() {
    if (m_annotations.size() == 0) return {};
    ROADTUNE_TRY(const MappedFile annotations, MappedFile::open(m_aside, MappedFile::Access::Sequential));
    constexpr std::size_t kPiece = 1 << 20;
    for (std::size_t at = 0; at < annotations.size(); at += kPiece)
      ROADTUNE_CHECK(m_out.write(annotations.text().substr(at, kPiece)));
    return {};
  }

  ExportContext m_context;
  OutputFile m_out;
  fs::path m_aside;
  AppendFile m_annotations;
  std::string m_buffer;
  std::uint64_t m_images = 0, m_boxes = 0;
  bool m_sawUnknown = false;
};

}  // namespace

MakeWriter makeCocoWriter(const ExportContext& context) {
  ROADTUNE_TRY(OutputFile out, OutputFile::create(context.request.out));
  fs::path aside = context.request.out;
  aside += ".annotations-" + std::to_string(::getpid());
  std::error_code code;
  fs::remove(aside, code);
  ROADTUNE_TRY(AppendFile annotations, AppendFile::open(aside));
  return std::unique_ptr<ExportWriter>(
      std::make_unique<CocoWriter>(context, std::move(out), std::move(aside), std::move(annotations)));
}

}  // namespace roadtune::data
