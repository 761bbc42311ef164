// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/flat_sinks.h"

#include "core/base/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace roadtune::data {

namespace {

constexpr LabelType kClasses[] = {LabelType::Vehicle, LabelType::Pedestrian, LabelType::Cyclist};

// One picture of a frame with its size and labels.
struct Shown {
  std::string file;  // relative to the folder
  const WaymoImage* image;
  const WaymoCameraLabels* labels;
  int width, height;
};

class FlatSink : public SynthSink {
 public:
  explicit FlatSink(fs::path folder) : m_folder(std::move(folder)) {}
  Status beginSegment(const std::string&) override { return makeFolders(m_folder / "images"); }
  Status endSegment() override { return {}; }

  Status add(const SynthFrame& frame) override {
    for (const WaymoImage& image : frame.frame.images) {
      const auto& calibration = frame.calibrationOf(image.camera);
      const Shown shown{fmt::format("images/{}_{}_{}.jpg", frame.frame.context, frame.frame.timestampMicros,
                                    cameraName(static_cast<Camera>(image.camera))),
                        &image, frame.frame.labelsOf(image.camera), calibration.width, calibration.height};
      ROADTUNE_CHECK(writeFileAtomically(m_folder / shown.file, frame.jpegOf(image)));
      note(frame.frame, shown);
    }
    return {};
  }

 protected:
  virtual void note(const WaymoFrame& frame, const Shown& shown) = 0;
  fs::path m_folder;
};

class CocoSink : public FlatSink {
 public:
  using FlatSink::FlatSink;

  Status finish() override {
    nlohmann::json all = {{"info", {{"description", "Drawn street scenes"}, {"contains_waymo_data", false}}},
                          {"images", std::move(m_images)},
                          {"annotations", std::move(m_annotations)},
                          {"categories", nlohmann::json::array()}};
    for (const LabelType type : kClasses)
      all["categories"].push_back(
          {{"id", static_cast<int>(type)}, {"name", labelTypeName(type)}, {"supercategory", "object"}});
    return writeFileAtomically(m_folder / "annotations.json", all.dump() + "\n");
  }

 private:
  void note(const WaymoFrame& frame, const Shown& shown) override {
    const int id = ++m_lastImage;
    m_images.push_back({{"id", id},
                        {"file_name", shown.file},
                        {"width", shown.width},
                        {"height", shown.height},
                        {"segment", frame.context},
                        {"timestamp_micros", frame.timestampMicros},
                        {"camera", cameraName(static_cast<Camera>(shown.image->camera))},
                        {"time_of_day", frame.stats.timeOfDay},
                        {"location", frame.stats.location},
                        {"weather", frame.stats.weather}});
    if (!shown.labels) return;
    for (const WaymoLabel& label : shown.labels->labels)
      m_annotations.push_back({{"id", ++m_lastAnnotation},
                               {"image_id", id},
                               {"category_id", label.type},
                               {"bbox", {label.left(), label.top(), label.length, label.width}},
                               {"area", label.length * label.width},
                               {"iscrowd", 0},
                               {"detection_difficulty", label.detectionDifficulty == 2 ? "LEVEL_2" : "LEVEL_1"}});
  }

  nlohmann::json m_images = nlohmann::json::array(), m_annotations = nlohmann::json::array();
  int m_lastImage = 0, m_lastAnnotation = 0;
};

class JsonlSink : public FlatSink {
 public:
  using FlatSink::FlatSink;
  Status finish() override { return writeFileAtomically(m_folder / "data.jsonl", m_lines); }

 private:
  static std::string location(double part) {
    return fmt::format("<loc{:04}>", std::clamp(static_cast<int>(std::lround(part * 1023)), 0, 1023));
  }

  void note(const WaymoFrame&, const Shown& shown) override {
    std::vector<WaymoLabel> labels = shown.labels ? shown.labels->labels : std::vector<WaymoLabel>{};
    std::stable_sort(labels.begin(), labels.end(),
                     [](const auto& a, const auto& b) { return a.length * a.width > b.length * b.width; });
    std::string suffix;
    for (const WaymoLabel& label : labels) {
      if (!suffix.empty()) suffix += " ; ";
      suffix += location(label.top() / shown.height) + location(label.left() / shown.width) +
                location(label.bottom() / shown.height) + location(label.right() / shown.width) + " ";
      suffix += labelTypeName(static_cast<LabelType>(label.type));
    }
    nlohmann::ordered_json line = {
        {"image", shown.file}, {"prefix", "detect vehicle ; pedestrian ; cyclist"}, {"suffix", suffix}};
    m_lines += line.dump() + "\n";
  }

  std::string m_lines;
};

}  // namespace

std::unique_ptr<SynthSink> makeCocoSink(const std::filesystem::path& folder) {
  return std::make_unique<CocoSink>(folder);
}
std::unique_ptr<SynthSink> makeJsonlSink(const std::filesystem::path& folder) {
  return std::make_unique<JsonlSink>(folder);
}

}  // namespace roadtune::data
