// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/bdd_recordings.h"

#include "core/base/text.h"
#include "core/data/index/class_list.h"
#include "core/data/index/find_files.h"
#include "core/data/index/json_elements.h"
#include "core/data/index/named_pictures.h"
#include "core/data/index/scene_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

using BddValue = nlohmann::json;

// A list of images (or one under "frames") whose first entry has a name and labels or attributes.
bool looksLikeBdd(const fs::path& file) {
  const std::string head = firstBytes(file, 16 * 1024);
  const auto start = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (start == std::string::npos) return false;
  const bool list = head[start] == '[' || head.find("\"frames\"") != std::string::npos;
  const auto has = [&](const char* key) { return head.find(key) != std::string::npos; };
  return list && has("\"name\"") && (has("\"box2d\"") || has("\"timeofday\"") || has("\"labels\"")) &&
         !has("\"image_id\"");
}

std::string bddTime(const std::string& word) {
  if (word == "daytime") return "Day";
  if (word == "night") return "Night";
  return word == "dawn/dusk" ? "Dawn/Dusk" : word == "undefined" ? "" : word;
}

class BddReader {
 public:
  BddReader(const ImportUnit& unit, RecordingSink& sink)
      : m_unit(unit), m_sink(sink), m_file(unit.files.front()), m_pictures(unit, unit.files.front()) {}

  Status run() {
    bool stopped = false;
    const auto visit = [&](BddValue& element) {
      if (element.is_object()) addImage(element);
      stopped = !m_sink.advance(0);
      return !stopped;
    };
    if (isJsonArray(m_file))
      ROADTUNE_CHECK(forEachElement(m_file, {{"", visit}}));
    else
      ROADTUNE_CHECK(forEachElement(m_file, {{"frames", visit}}));
    if (stopped) return cancelled();
    if (m_scenes.empty()) return badInput("is no BDD100K file: it lists no images", m_file.string());
    m_pictures.tell(m_file, m_sink);
    if (m_strange > 0)
      m_sink.problem({.file = m_file.string(),
                      .what = fmt::format("{} labels have no category or no box of numbers", m_strange),
                      .done = "left out"});
    if (const auto beyond = m_classes.overflow(m_file.string())) m_sink.problem(*beyond);
    for (auto& [name, recording] : m_scenes) {
      recording.classes = m_classes.names();
      ROADTUNE_CHECK(m_sink.deliver(std::move(recording)));
    }
    return {};
  }

 private:
  Recording& sceneOf(const BddValue& source) {
    const auto attributes = source.find("attributes");
    const BddValue none;
    const BddValue& words = attributes == source.end() ? none : *attributes;
    const std::string time = bddTime(textOf(words, "timeofday")), weather = textOf(words, "weather"),
                      scene = textOf(words, "scene");
    std::string name = m_unit.title;
    for (const std::string& word : {time, weather, scene})
      if (!word.empty()) name += "/" + word;
    const auto [at, isNew] = m_scenes.try_emplace(name);
    if (isNew) {
      at->second.name = name;
      at->second.format = "bdd";
      at->second.time = time;
      at->second.weather = weather == "undefined" ? "" : weather;
      at->second.location = scene == "undefined" ? "" : scene;
    }
    return at->second;
  }

  void addImage(const BddValue& source) {
    Recording& recording = sceneOf(source);
    RecordedImage image;
    image.name = textOf(source, "name");
    image.timestamp = m_number++;
    const auto labels = source.find("labels");
    image.labelled = labels != source.end();
    m_pictures.take({image.name}, image);
    if (labels != source.end() && labels->is_array())
      for (const BddValue& label : *labels) addLabel(label, image);
    recording.images.push_back(std::move(image));
  }

  // Lanes and drivable areas have polygons, and are no boxes.
  void addLabel(const BddValue& label, RecordedImage& image) {
    if (!label.is_object() || !label.contains("box2d")) return;
    const BddValue& sides = label["box2d"];
    if (sides.is_null()) return;
    const std::string category = textOf(label, "category");
    auto box = boxOfCorners(sides);
    if (!box || category.empty()) {
      ++m_strange;
      ++image.unread;
      return;
    }
    box->type = m_classes.numberOfBox(category == "person" ? "pedestrian" : category);
    const auto id = label.find("id");
    if (id != label.end()) box->id = id->is_string() ? id->get<std::string>() : id->is_number() ? id->dump() : "";
    image.boxes.push_back(*std::move(box));
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  fs::path m_file;
  NamedPictures m_pictures;
  std::map<std::string, Recording> m_scenes;
  ClassList m_classes;
  std::int64_t m_number = 0;
  std::size_t m_strange = 0;
};

}  // namespace

Result<std::vector<ImportUnit>> BddRecordings::discover(const fs::path& path) const {
  std::vector<ImportUnit> units;
  for (const fs::path& file : findFiles(path, [](const std::string& name) { return endsWith(name, ".json"); }))
    if (looksLikeBdd(file)) units.push_back(unitOfAnnotationFile(file));
  return units;
}

Status BddRecordings::read(const ImportUnit& unit, RecordingSink& sink) const { return BddReader(unit, sink).run(); }

}  // namespace roadtune::data
