// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/coco_recordings.h"

#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/index/class_list.h"
#include "core/data/index/find_files.h"
#include "core/data/index/json_elements.h"
#include "core/data/index/named_pictures.h"
#include "core/data/index/scene_fields.h"
#include "core/data/index/waymo_license.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <unordered_map>

namespace roadtune::data {

namespace {

using nlohmann::json;

// Small enough to ask of every .json below a folder.
bool looksLikeCoco(const fs::path& file) {
  if (isJsonArray(file)) return false;
  const std::string head = firstBytes(file, 64 * 1024);
  for (const char* key : {"\"images\"", "\"annotations\"", "\"categories\""})
    if (head.find(key) != std::string::npos) return true;
  return false;
}

// An id as a key: 7 and 7.0 are the same, "7" is another.
std::optional<std::string> cocoId(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_string()) return '"' + found->get<std::string>();
  if (found->is_number_unsigned()) return std::to_string(found->get<std::uint64_t>());
  if (!found->is_number()) return std::nullopt;
  const bool whole = found->is_number_integer() || std::abs(found->get<double>()) < 9.0e18;
  return whole ? std::to_string(integerOf(object, key, 0)) : found->dump();
}

bool isCrowd(const json& annotation) {
  const auto found = annotation.find("iscrowd");
  return found != annotation.end() &&
         (found->is_boolean() ? found->get<bool>() : integerOf(annotation, "iscrowd", 0) != 0);
}

// Of the mask, mostly; metrics by size go by it. One that only repeats the box is not kept.
double statedArea(const json& annotation, const Box& box) {
  const auto found = annotation.find("area");
  if (found == annotation.end() || !found->is_number()) return 0;
  const double area = found->get<double>(), own = box.w * box.h;
  return std::isfinite(area) && area > 0 && std::abs(area - own) > 1e-3 * std::max(1.0, own) ? area : 0;
}

class CocoReader {
 public:
  CocoReader(const ImportUnit& unit, RecordingSink& sink)
      : m_unit(unit), m_sink(sink), m_file(unit.files.front()), m_pictures(unit, unit.files.front()) {}

  Status run() {
    bool stopped = false;
    const auto visit = [&](auto member) {
      return [this, member, &stopped](json& element) {
        if (element.is_object()) (this->*member)(element);
        stopped = !m_sink.advance(0);
        return !stopped;
      };
    };
    // Annotations may come before the images and categories that they name, hence two passes.
    std::size_t lists = 0;
    ROADTUNE_CHECK(forEachElement(
        m_file, {{"images", visit(&CocoReader::addImage)}, {"categories", visit(&CocoReader::addCategory)}}, &lists));
    if (stopped) return cancelled();
    if (m_images.empty()) return noImages(lists);
    lists = 0;
    ROADTUNE_CHECK(forEachElement(m_file, {{"annotations", visit(&CocoReader::addAnnotation)}}, &lists));
    if (stopped) return cancelled();
    if (lists == 0)  // images to predict, as COCO's own test sets come
      for (RecordedImage& image : m_images) image.labelled = false;
    tellAll();
    return deliver();
  }

 private:
  void tell(std::size_t count, const char* noun, const char* what, const char* done) {
    if (count == 0) return;
    m_sink.problem({.file = m_file.string(), .what = counted(count, noun) + " " + what, .done = done});
  }

  Error noImages(std::size_t lists) const {
    if (isJsonArray(m_file))
      return badInput("is a list, as files of predictions are, and no COCO file", m_file.string());
    if (m_nameless > 0) return badInput("its images have no id", m_file.string());
    return badInput(lists == 0 ? "is no COCO file: it has no \"images\"" : "it names no images", m_file.string());
  }

  void tellAll() {
    tell(m_nameless, "image", "without an id", "left out");
    tell(m_repeated, "image", "with the id of another one", "the first was kept");
    tell(m_doubleNamed, "category id", "with several names", "the first was kept");
    m_pictures.tell(m_file, m_sink);
    tell(m_strange, "annotation", "of no known image or category, or without a box", "left out");
    if (const auto beyond = m_classes.overflow(m_file.string())) m_sink.problem(*beyond);
  }

  void addCategory(json& category) {
    const std::string name = textOf(category, "name");
    m_classes.add(name);
    const auto id = cocoId(category, "id");
    if (id && !m_categories.emplace(*id, name).second && m_categories[*id] != name) ++m_doubleNamed;
  }

  void addImage(json& source) {
    const auto id = cocoId(source, "id");
    if (!id || m_byId.contains(*id)) {
      ++(id ? m_repeated : m_nameless);
      return;
    }
    RecordedImage image;
    image.name = textOf(source, "file_name");
    image.labelled = true;
    readShot(source, static_cast<std::int64_t>(m_images.size()), image);
    m_pictures.take({image.name}, image);
    m_byId[*id] = m_images.size();
    m_images.push_back(std::move(image));
    m_scenes.push_back(sceneOf(source));
  }

  // What has this id; else what has the same digits as text, or the same text as digits: some programs mix them.
  template <class Map>
  static typename Map::const_iterator named(const Map& map, const std::string& id) {
    const auto found = map.find(id);
    if (found != map.end() || id.empty()) return found;
    return map.find(id.front() == '"' ? id.substr(1) : '"' + id);
  }

  void addAnnotation(json& source) {
    const auto image = named(m_byId, cocoId(source, "image_id").value_or(""));
    const auto category = named(m_categories, cocoId(source, "category_id").value_or(""));
    const auto found = source.find("bbox");
    const bool box4 = found != source.end() && found->is_array() && found->size() == 4 && (*found)[0].is_number() &&
                      (*found)[1].is_number() && (*found)[2].is_number() && (*found)[3].is_number();
    if (image == m_byId.end() || category == m_categories.end() || !box4) {
      ++m_strange;
      if (image != m_byId.end()) ++m_images[image->second].unread;
      return;
    }
    Box box;
    box.x = (*found)[0].get<double>();
    box.y = (*found)[1].get<double>();
    box.w = (*found)[2].get<double>();
    box.h = (*found)[3].get<double>();
    box.statedArea = statedArea(source, box);
    box.type = m_classes.numberOfBox(category->second);
    box.detectionLevel = levelOf(source, "detection_difficulty");
    box.trackingLevel = levelOf(source, "tracking_difficulty");
    box.id = textOf(source, "track_id");
    if (box.id.empty()) box.id = textOf(source, "id");
    if (box.id.empty()) box.id = std::to_string(integerOf(source, "id", 0));
    RecordedImage& place = m_images[image->second];
    (isCrowd(source) ? place.crowds : place.boxes).push_back(std::move(box));
  }

  Status deliver() {
    std::map<std::string, Recording> recordings;
    for (std::size_t i = 0; i < m_images.size(); ++i) {
      const std::string name = m_scenes[i].name.empty() ? m_unit.title : m_scenes[i].name;
      Recording& recording = recordings.try_emplace(name, std::move(m_scenes[i])).first->second;
      recording.images.push_back(std::move(m_images[i]));
    }
    for (auto& [name, recording] : recordings) {
      recording.name = name;
      recording.format = "coco";
      recording.crowds = true;
      recording.waymo = hasWaymoAttribution(m_unit.base);
      recording.classes = m_classes.names();
      ROADTUNE_CHECK(m_sink.deliver(std::move(recording)));
    }
    return {};
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  fs::path m_file;
  NamedPictures m_pictures;
  std::vector<RecordedImage> m_images;
  std::vector<Recording> m_scenes;  // of m_images: what each says about its segment
  std::unordered_map<std::string, std::size_t> m_byId;
  std::unordered_map<std::string, std::string> m_categories;  // id -> name
  std::size_t m_doubleNamed = 0;
  ClassList m_classes;
  std::size_t m_strange = 0, m_nameless = 0, m_repeated = 0;
};

}  // namespace

namespace {

// Captions and keypoints of COCO name the pictures of instances_*.json once more.
bool repeatsInstances(const fs::path& file) {
  const std::string name = file.filename().string();
  std::error_code code;
  for (const std::string about : {"captions_", "person_keypoints_"})
    if (name.starts_with(about) && fs::exists(file.parent_path() / ("instances_" + name.substr(about.size())), code))
      return true;
  return false;
}

}  // namespace

Result<std::vector<ImportUnit>> CocoRecordings::discover(const fs::path& path) const {
  std::vector<ImportUnit> units;
  std::error_code code;
  const bool given = fs::is_regular_file(path, code);
  for (const fs::path& file : findFiles(path, [](const std::string& name) { return endsWith(name, ".json"); }))
    if (given || (looksLikeCoco(file) && !repeatsInstances(file))) units.push_back(unitOfAnnotationFile(file));
  return units;
}

Status CocoRecordings::read(const ImportUnit& unit, RecordingSink& sink) const { return CocoReader(unit, sink).run(); }

}  // namespace roadtune::data
