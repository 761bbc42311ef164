// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/data/export/export_writer.h"
#include "core/data/export/output_file.h"
#include "core/text/detection_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::data {

namespace {

using nlohmann::ordered_json;

std::string line(const ordered_json& value) { return jsonLine(value) + "\n"; }

bool hasText(const ExportImage& image) {
  return !image.segment->prefix(image.info.row).empty() || !image.segment->suffix(image.info.row).empty();
}

// What is asked of the image, as training asks it.
std::string prefixOf(const ExportImage& image) {
  const std::string prefix(image.segment->prefix(image.info.row));
  return image.segment->info().format == "vqa" ? "answer en " + prefix : prefix;
}

std::string suffixOf(const ExportImage& image) { return std::string(image.segment->suffix(image.info.row)); }

// Everything the index knows about an image, one object per line.
class JsonlWriter : public ExportWriter {
 public:
  JsonlWriter(const ExportContext& context, OutputFile out) : m_index(context.index), m_out(std::move(out)) {}
  bool wants(const ExportImage&) const override { return true; }

  Status add(const ExportImage& image) override { return m_out.write(imageRow(m_index, image) + "\n"); }
  Status end() override { return m_out.finish(); }

 private:
  const Index& m_index;
  OutputFile m_out;
};

// What PaliGemma's training recipes read.
class PaliGemmaWriter : public ExportWriter {
 public:
  PaliGemmaWriter(const ExportContext& context, OutputFile out)
      : m_classes(context.classes), m_prompt(text::detectionPrompt(context.classes.names)), m_out(std::move(out)) {}
  // Questions, captions, and boxes where the size that their bins need is known.
  bool wants(const ExportImage& image) const override {
    return hasText(image) ||
           (image.info.labelled && image.info.width > 0 && image.info.height > 0 && !showsCrowdsOnly(image));
  }

  std::optional<std::size_t> boxesAsText(const ExportImage& image) const override {
    if (!hasText(image)) return std::nullopt;
    constexpr std::string_view kPlace = "<loc";
    const std::string suffix = suffixOf(image);
    std::size_t places = 0;
    for (auto at = suffix.find(kPlace); at != suffix.npos; at = suffix.find(kPlace, at + kPlace.size())) ++places;
    return places / 4;
  }

  Status add(const ExportImage& image) override {
    if (hasText(image)) return put(image, prefixOf(image), suffixOf(image));
    std::vector<text::LabelledBox> boxes;
    for (const Box& box : image.boxes)
      boxes.push_back({{box.x, box.y, box.x + box.w, box.y + box.h},
                       m_classes.names[static_cast<std::size_t>(m_classes.positionOf(box.type))]});
    return put(image, m_prompt,
               text::detectionTarget(boxes, image.info.width, image.info.height, text::BoxOrdering::AsGiven, 0));
  }
  Status end() override { return m_out.finish(); }

 private:
  // An answer without boxes would say that nothing is there.
  bool showsCrowdsOnly(const ExportImage& image) const {
    // A region of no class may hide any.
    const auto shows = [&](const std::vector<Box>& boxes, bool unknown) {
      return std::any_of(boxes.begin(), boxes.end(), [&](const Box& b) {
        return m_classes.positionOf(b.type) >= 0 || (unknown && b.type == kUnknown);
      });
    };
    return shows(image.segment->crowdsOf(image.info.row), true) &&
           !shows(image.segment->boxesOf(image.info.row), false);
  }

  Status put(const ExportImage& image, const std::string& prefix, const std::string& suffix) {
    return m_out.write(line({{"image", image.reference}, {"prefix", prefix}, {"suffix", suffix}}));
  }
  const ExportClasses& m_classes;
  std::string m_prompt;
  OutputFile m_out;
};

}  // namespace

std::string imageRow(const Index& index, const ExportImage& image) {
  const SegmentInfo& segment = image.segment->info();
  ordered_json value = {{"segment", segment.name},
                        {"timestamp_micros", image.info.timestamp},
                        {"camera", cameraName(image.info.camera)},
                        {"split", segment.split},
                        {"width", image.info.width},
                        {"height", image.info.height},
                        {"time_of_day", segment.time},
                        {"location", segment.location},
                        {"weather", segment.weather},
                        {"labelled", image.info.labelled},
                        {"boxes", ordered_json::array()}};
  for (const Box& box : image.boxes)
    value["boxes"].push_back({{"id", box.id},
                              {"label", index.classNames()[box.type]},
                              {"x1", rounded(box.x)},
                              {"y1", rounded(box.y)},
                              {"x2", rounded(box.x + box.w)},
                              {"y2", rounded(box.y + box.h)},
                              {"detection_difficulty", levelName(box.detectionLevel)},
                              {"tracking_difficulty", levelName(box.trackingLevel)}});
  if (hasText(image)) {
    value["prefix"] = prefixOf(image);
    value["suffix"] = suffixOf(image);
  }
  value["image"] = image.reference;
  if (image.sha256) value["sha256"] = image.sha256->empty() ? ordered_json() : ordered_json(*image.sha256);
  return jsonLine(value);
}

MakeWriter makeJsonlWriter(const ExportContext& context) {
  ROADTUNE_TRY(OutputFile out, OutputFile::create(context.request.out));
  return std::unique_ptr<ExportWriter>(std::make_unique<JsonlWriter>(context, std::move(out)));
}

MakeWriter makePaliGemmaWriter(const ExportContext& context) {
  ROADTUNE_TRY(OutputFile out, OutputFile::create(context.request.out));
  return std::unique_ptr<ExportWriter>(std::make_unique<PaliGemmaWriter>(context, std::move(out)));
}

}  // namespace roadtune::data
