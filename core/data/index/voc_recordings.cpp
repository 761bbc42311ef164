// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/voc_recordings.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/index/class_list.h"
#include "core/data/index/find_files.h"
#include "core/data/index/label_reading.h"
#include "core/data/index/named_pictures.h"
#include "core/data/index/split_names.h"
#include "core/data/index/xml_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

namespace roadtune::data {

namespace {

constexpr const char* kVocPictures = "JPEGImages";
constexpr std::array kVocSplits = {std::pair("train", "training"), std::pair("val", "validation"),
                                   std::pair("test", "testing")};

bool looksLikeVoc(const fs::path& file) {
  const std::string head = firstBytes(file, 1024);
  return head.find("<annotation>") != std::string::npos || head.find("<annotation ") != std::string::npos;
}

std::optional<double> numberIn(const XmlElement& element, const char* key) { return numberOfWord(element.textOf(key)); }

int sizeIn(const XmlElement& root, const char* key) {
  const XmlElement* size = root.child("size");
  const double value = size ? numberIn(*size, key).value_or(0) : 0;
  return value > 0 && value < 1e6 ? static_cast<int>(value) : 0;
}

// Where pictures are looked for first: beside the folder of annotations, as VOC has it, or with them.
fs::path picturesOf(const fs::path& annotations) {
  const fs::path beside = annotations.parent_path() / kVocPictures;
  std::error_code code;
  return fs::is_directory(beside, code) ? beside : annotations;
}

// No lists of splits, and no second folder of annotations beside it.
bool isAlone(const fs::path& annotations) {
  std::error_code code;
  if (fs::exists(annotations.parent_path() / "ImageSets" / "Main", code)) return false;
  int folders = 0;
  for (const auto& entry : fs::directory_iterator(annotations.parent_path(), code))
    folders += entry.is_directory(code) && lower(entry.path().filename().string()).starts_with("annotation");
  return folders <= 1;
}

class VocReader {
 public:
  VocReader(const ImportUnit& unit, RecordingSink& sink)
      : m_unit(unit), m_sink(sink), m_pictures(unit, picturesOf(unit.files.front().parent_path()) / "pictures") {}

  Status run() {
    for (const fs::path& file : m_unit.files) {
      if (!m_sink.advance(0)) return cancelled();
      const Result<std::string> text = readFile(file);
      const Result<XmlElement> root = text.ok() ? parseXml(text.value()) : Result<XmlElement>(text.error());
      if (root.ok() && root.value().name == "annotation") {
        addImage(file, root.value());
        continue;
      }
      m_unread.insert(file);
      leftOut(file, root.ok() ? "is no <annotation> but a <" + root.value().name + ">" : root.error().what);
    }
    const std::string folder = m_unit.files.front().parent_path().string();
    if (m_recording.images.empty()) return badInput("none of its annotations can be read", folder);
    addUnlabelled();
    m_pictures.tell(folder, m_sink);
    return deliverUnit(std::move(m_recording), "voc", m_unit, m_classes, folder, m_sink);
  }

 private:
  void leftOut(const fs::path& file, std::string what) {
    m_sink.problem({.file = file.string(), .what = std::move(what), .done = "left out"});
  }

  // Pictures beside the annotations, as VOC has it, that have none that can be read. Not where lists or other
  // annotations say more.
  void addUnlabelled() {
    const fs::path annotations = m_unit.files.front().parent_path(), pictures = picturesOf(annotations);
    if (pictures == annotations || !isAlone(annotations)) return;
    std::set<std::string> known;
    for (const RecordedImage& image : m_recording.images) known.insert(fs::path(image.name).filename().string());
    std::set<std::string> stems;
    for (const fs::path& file : m_unit.files)
      if (!m_unread.contains(file)) stems.insert(file.stem().string());
    for (const fs::path& picture : findFiles(pictures, isImageName)) {
      if (known.contains(picture.filename().string()) || stems.contains(picture.stem().string())) continue;
      RecordedImage image;
      image.timestamp = static_cast<std::int64_t>(m_recording.images.size());
      image.name = picture.filename().string();
      m_pictures.take({image.name}, image);
      m_recording.images.push_back(std::move(image));
    }
  }

  void addImage(const fs::path& file, const XmlElement& root) {
    RecordedImage image;
    image.timestamp = static_cast<std::int64_t>(m_recording.images.size());
    image.labelled = true;
    image.width = sizeIn(root, "width");
    image.height = sizeIn(root, "height");
    const std::string told = fs::path(root.textOf("filename")).filename().string(), stem = file.stem().string();
    // Files are renamed more often than what is written in them.
    std::vector<std::string> names;
    if (fs::path(told).has_extension()) names.push_back(stem + fs::path(told).extension().string());
    for (const char* ending : {".jpg", ".png", ".jpeg", ".JPG", ".webp"}) names.push_back(stem + ending);
    names.push_back(told);
    image.name = told.empty() ? stem + ".jpg" : told;
    m_pictures.take(names, image);
    std::size_t number = 0;
    for (const XmlElement& object : root.children) {
      if (object.name != "object") continue;
      ++number;
      if (addBox(object, image)) continue;
      ++image.unread;
      leftOut(file, fmt::format("object {} ({}) has no box of four numbers", number, object.textOf("name")));
    }
    m_recording.images.push_back(std::move(image));
  }

  // Pixels are counted from 1, and the last one is in the box.
  bool addBox(const XmlElement& object, RecordedImage& image) {
    const XmlElement* sides = object.child("bndbox");
    const std::string name = object.textOf("name");
    if (!sides || name.empty()) return false;
    const auto left = numberIn(*sides, "xmin"), top = numberIn(*sides, "ymin"), right = numberIn(*sides, "xmax"),
               bottom = numberIn(*sides, "ymax");
    if (!left || !top || !right || !bottom || *right < *left || *bottom < *top) return false;
    Box box = boxOfSides(std::max(0.0, *left - 1), std::max(0.0, *top - 1), *right, *bottom);
    box.type = m_classes.numberOfBox(name);
    if (const auto difficult = numberIn(object, "difficult")) box.detectionLevel = *difficult != 0 ? 2 : 1;
    image.boxes.push_back(std::move(box));
    return true;
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  NamedPictures m_pictures;
  Recording m_recording;
  ClassList m_classes;
  std::set<fs::path> m_unread;
};

// Stem of an annotation -> its split, as ImageSets/Main beside the folder says.
std::unordered_map<std::string, std::string> splitsBeside(const fs::path& annotations) {
  std::unordered_map<std::string, std::string> splits;
  for (const auto& [file, split] : kVocSplits) {
    const auto list = readFile(annotations.parent_path() / "ImageSets" / "Main" / (std::string(file) + ".txt"));
    if (!list.ok()) continue;
    for (const std::string& line : roadtune::split(list.value(), '\n'))
      if (const std::string stem(trim(line)); !stem.empty()) splits.emplace(stem, split);
  }
  return splits;
}

}  // namespace

Result<std::vector<ImportUnit>> VocRecordings::discover(const fs::path& path) const {
  std::map<fs::path, std::vector<fs::path>> folders;
  std::set<fs::path> known;
  for (const fs::path& file : findFiles(path, [](const std::string& name) { return endsWith(name, ".xml"); })) {
    folders[file.parent_path()].push_back(file);
    if (looksLikeVoc(file)) known.insert(file.parent_path());
  }
  // A broken one among good ones is told of; other folders of XML are somebody else's.
  std::erase_if(folders, [&](const auto& one) { return !known.contains(one.first); });
  std::vector<ImportUnit> units;
  for (const auto& [folder, files] : folders) {
    const auto listed = splitsBeside(folder);
    std::map<std::string, std::vector<fs::path>> bySplit;
    for (const fs::path& file : files) {
      const auto said = listed.find(file.stem().string());
      bySplit[said == listed.end() ? std::string() : said->second].push_back(file);
    }
    const bool apart = lower(folder.filename().string()).starts_with("annotation");
    const fs::path base = apart ? folder.parent_path() : folder;
    for (auto& [split, own] : bySplit)
      units.push_back({.name = folder.string() + (split.empty() ? "" : " (" + split + ")"),
                       .split = split.empty() ? splitOfAnnotationFile(own.front()) : split,
                       .files = std::move(own),
                       .base = base,
                       .title = base.filename().string() + (split.empty() ? "" : "-" + split)});
  }
  return units;
}

Status VocRecordings::read(const ImportUnit& unit, RecordingSink& sink) const { return VocReader(unit, sink).run(); }

}  // namespace roadtune::data
