// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/yolo_recordings.h"

#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/index/class_list.h"
#include "core/data/index/find_files.h"
#include "core/data/index/label_reading.h"
#include "core/data/index/named_pictures.h"
#include "core/data/index/yolo_config.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>

namespace roadtune::data {

namespace {

struct YoloSplit {
  const char *key, *name;
};
constexpr std::array kYoloSplits = {YoloSplit{"train", "training"}, YoloSplit{"val", "validation"},
                                    YoloSplit{"test", "testing"}};

// Ultralytics' rule: the last "images" of the path becomes "labels".
fs::path labelFileOf(const fs::path& picture) {
  fs::path label = picture;
  label.replace_extension(".txt");
  const std::string text = label.string(), folder = "/images/";
  const auto at = text.rfind(folder);
  return at == std::string::npos ? label : fs::path(text.substr(0, at) + "/labels/" + text.substr(at + folder.size()));
}

// A place that data.yaml names: seen from its `path`, from its own folder, or (as Roboflow writes) one folder too high.
std::optional<fs::path> placeOf(const YoloConfig& config, const fs::path& yaml, const std::string& value) {
  const fs::path own = yaml.parent_path();
  std::vector<fs::path> candidates = {own / config.path / value, own / value, fs::path(value)};
  if (value.starts_with("../")) candidates.push_back(own / value.substr(3));
  std::error_code code;
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate, code)) return candidate.lexically_normal();
  return std::nullopt;
}

std::vector<fs::path> picturesAt(const fs::path& place) {
  std::error_code code;
  if (fs::is_directory(place, code)) return findFiles(place, isImageName);
  std::vector<fs::path> pictures;
  const Result<std::string> list = readFile(place);
  if (!list.ok()) return pictures;
  for (const std::string& line : split(list.value(), '\n'))
    if (const std::string name(trim(line)); !name.empty())
      pictures.push_back(
          (fs::path(name).is_absolute() ? fs::path(name) : place.parent_path() / name).lexically_normal());
  return pictures;
}

std::vector<fs::path> picturesOf(const YoloConfig& config, const fs::path& yaml, const std::string& key) {
  std::vector<fs::path> pictures;
  const auto found = config.places.find(key);
  if (found == config.places.end()) return pictures;
  for (const std::string& value : found->second)
    if (const auto place = placeOf(config, yaml, value))
      for (fs::path& picture : picturesAt(*place)) pictures.push_back(std::move(picture));
  return pictures;
}

class YoloReader {
 public:
  YoloReader(const ImportUnit& unit, RecordingSink& sink)
      : m_unit(unit), m_sink(sink), m_yaml(unit.name.substr(0, unit.name.rfind('#'))) {}

  Status run() {
    ROADTUNE_TRY(m_config, readYoloConfig(m_yaml));
    const std::string key = m_unit.name.substr(m_unit.name.rfind('#') + 1);
    for (const fs::path& picture : picturesOf(m_config, m_yaml, key)) {
      if (!m_sink.advance(0)) return cancelled();
      addPicture(picture);
    }
    if (m_recording.images.empty()) return badInput(fmt::format("no picture of '{}' was found", key), m_yaml.string());
    if (m_lost > 0)
      m_sink.problem({.file = m_yaml.string(),
                      .what = fmt::format("{} cannot be read{} {}", counted(m_lost, "picture"),
                                          m_lost == 1 ? ":" : ", the first of them", m_firstLost),
                      .done = "left out",
                      .picture = true});
    if (!m_unnamed.empty())
      m_sink.problem({.file = m_yaml.string(),
                      .what = fmt::format("labels name {}, such as {}, for which it has no name",
                                          counted(m_unnamed.size(), "class", "classes"), *m_unnamed.begin()),
                      .done = fmt::format("called 'class {}'", *m_unnamed.begin())});
    m_odd.tell(m_yaml, m_sink);
    if (!m_unit.files.empty() && m_unit.files.front() == m_yaml) tellEmptyPlaces();
    return deliverUnit(std::move(m_recording), "yolo", m_unit, m_classes, m_yaml.string(), m_sink);
  }

 private:
  // Once, by the unit that the file belongs to.
  void tellEmptyPlaces() {
    for (const auto& [key, values] : m_config.places)
      if (picturesOf(m_config, m_yaml, key).empty())
        m_sink.problem({.file = m_yaml.string(),
                        .what = fmt::format("'{}' names {}, where no picture was found", key, values.front()),
                        .done = "left out"});
  }

  void addPicture(const fs::path& picture) {
    RecordedImage image;
    image.timestamp = static_cast<std::int64_t>(m_recording.images.size());
    if (!takePicture(picture, m_unit.base, image, m_odd)) {
      if (m_lost++ == 0) m_firstLost = picture.string();
      return;
    }
    const Result<std::string> labels = readFile(labelFileOf(picture));
    image.labelled = labels.ok();
    if (labels.ok()) addBoxes(labels.value(), labelFileOf(picture), image);
    m_recording.images.push_back(std::move(image));
  }

  void addBoxes(const std::string& text, const fs::path& file, RecordedImage& image) {
    std::int64_t number = 0;
    for (const std::string& line : split(withoutMark(text), '\n')) {
      ++number;
      if (trim(line).empty()) continue;
      if (const auto box = parseLine(line, image)) {
        image.boxes.push_back(*box);
        continue;
      }
      ++image.unread;
      m_sink.problem(
          {.file = file.string(), .what = fmt::format("line {} is no YOLO label", number), .done = "left out"});
    }
  }

  // "class cx cy w h", or "class x1 y1 x2 y2 x3 y3 ..." for a polygon, whose bounding box is taken.
  std::optional<Box> parseLine(const std::string& line, const RecordedImage& image) {
    std::vector<double> values;
    for (const std::string_view word : wordsOf(line)) {
      const auto value = numberOfWord(word);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    const bool polygon = values.size() > 6 && values.size() % 2 == 1;
    if (values.size() < 5 || (values.size() > 6 && !polygon) || values[0] < 0 || values[0] > 1e6) return std::nullopt;
    Box box;
    if (polygon) {
      double x1 = 1, y1 = 1, x2 = 0, y2 = 0;
      for (std::size_t i = 1; i + 1 < values.size(); i += 2) {
        x1 = std::min(x1, values[i]), x2 = std::max(x2, values[i]);
        y1 = std::min(y1, values[i + 1]), y2 = std::max(y2, values[i + 1]);
      }
      values = {values[0], (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1};
    }
    box.w = values[3] * image.width;
    box.h = values[4] * image.height;
    box.x = values[1] * image.width - box.w / 2;
    box.y = values[2] * image.height - box.h / 2;
    const auto number = static_cast<std::size_t>(values[0]);
    const auto known = m_config.names.find(number);
    if (known == m_config.names.end()) m_unnamed.insert(number);
    box.type = m_classes.numberOfBox(known == m_config.names.end() ? fmt::format("class {}", number) : known->second);
    return box;
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  fs::path m_yaml;
  YoloConfig m_config;
  Recording m_recording;
  ClassList m_classes;
  OddPictures m_odd;
  std::size_t m_lost = 0;
  std::string m_firstLost;
  std::set<std::size_t> m_unnamed;  // classes of labels
};

}  // namespace

Result<std::vector<ImportUnit>> YoloRecordings::discover(const fs::path& path) const {
  std::vector<ImportUnit> units;
  std::optional<Error> useless;
  for (const fs::path& yaml :
       findFiles(path, [](const std::string& name) { return endsWith(name, ".yaml") || endsWith(name, ".yml"); })) {
    const bool meant = yaml == path || yaml.filename() == "data.yaml";
    const Result<YoloConfig> config = readYoloConfig(yaml);
    if (!config.ok()) {
      if (meant && !useless) useless = config.error();
      continue;
    }
    bool first = true;
    for (const YoloSplit& part : kYoloSplits) {
      const std::vector<fs::path> pictures = picturesOf(config.value(), yaml, part.key);
      if (pictures.empty()) continue;
      ImportUnit unit{.name = yaml.string() + "#" + part.key,
                      .split = part.name,
                      .files = {},
                      .base = yaml.parent_path(),
                      .title = yaml.parent_path().filename().string() + "-" + part.key};
      // A file belongs to one unit.
      if (first) unit.files.push_back(yaml);
      first = false;
      std::error_code code;
      for (const fs::path& picture : pictures)
        if (fs::path label = labelFileOf(picture); fs::is_regular_file(label, code))
          unit.files.push_back(std::move(label));
      if (unit.files.empty()) unit.files.push_back(pictures.front());
      units.push_back(std::move(unit));
    }
    if (first && meant && !useless)
      useless = badInput("none of the places that it names holds a picture", yaml.string());
  }
  if (units.empty() && useless) return *useless;
  return units;
}

Status YoloRecordings::read(const ImportUnit& unit, RecordingSink& sink) const { return YoloReader(unit, sink).run(); }

}  // namespace roadtune::data
