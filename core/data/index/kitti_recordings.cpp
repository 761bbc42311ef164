// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/kitti_recordings.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/index/class_list.h"
#include "core/data/index/find_files.h"
#include "core/data/index/label_reading.h"
#include "core/data/index/named_pictures.h"
#include "core/data/index/split_names.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>

namespace roadtune::data {

std::string kittiClass(std::string_view type) {
  if (type == "Car" || type == "Van" || type == "Truck") return "vehicle";
  if (type == "Pedestrian" || type == "Person_sitting") return "pedestrian";
  return lower(type);
}

namespace {

constexpr const char* kKittiLabels = "label_2";
constexpr const char* kKittiPictures = "image_2";

class KittiReader {
 public:
  KittiReader(const ImportUnit& unit, RecordingSink& sink)
      : m_unit(unit),
        m_sink(sink),
        m_pictures(unit, unit.files.front().parent_path().parent_path() / kKittiPictures / "pictures") {}

  Status run() {
    for (const fs::path& file : m_unit.files) {
      if (!m_sink.advance(0)) return cancelled();
      ROADTUNE_CHECK(addFile(file));
    }
    const fs::path labels = m_unit.files.front().parent_path();
    if (labels.filename() == kKittiLabels) addUnlabelled(labels.parent_path() / kKittiPictures);
    m_pictures.tell(labels, m_sink);
    m_recording.crowds = true;
    return deliverUnit(std::move(m_recording), "kitti", m_unit, m_classes, labels.string(), m_sink);
  }

 private:
  Status addFile(const fs::path& file) {
    if (file.parent_path().filename() == kKittiPictures) {
      m_recording.images.push_back(pictureOf(file.filename().string(), {file.filename().string()}));
      return {};
    }
    const Result<std::string> text = readFile(file);
    if (!text.ok()) {
      m_sink.problem({.file = file.string(), .what = text.error().what, .done = "left out"});
      return {};
    }
    const std::string stem = file.stem().string();
    RecordedImage image = pictureOf(stem + ".png", {stem + ".png", stem + ".jpg", stem + ".jpeg", stem + ".webp"});
    image.labelled = true;
    std::int64_t number = 0;
    for (const std::string& line : split(withoutMark(text.value()), '\n')) {
      ++number;
      if (trim(line).empty() || addBox(line, image)) continue;
      ++image.unread;
      m_sink.problem(
          {.file = file.string(), .what = fmt::format("line {} is no KITTI label", number), .done = "left out"});
    }
    m_recording.images.push_back(std::move(image));
    return {};
  }

  // Pictures beside the labels that have none.
  void addUnlabelled(const fs::path& pictures) {
    std::set<std::string> labelled;
    for (const fs::path& file : m_unit.files) labelled.insert(file.stem().string());
    for (const fs::path& picture : findFiles(pictures, isImageName))
      if (const std::string name = picture.filename().string(); !labelled.contains(picture.stem().string()))
        m_recording.images.push_back(pictureOf(name, {name}));
  }

  RecordedImage pictureOf(const std::string& name, const std::vector<std::string>& candidates) {
    RecordedImage image;
    image.timestamp = static_cast<std::int64_t>(m_recording.images.size());
    image.name = name;
    m_pictures.take(candidates, image);
    return image;
  }

  // type truncated occluded alpha left top right bottom, and what 3D needs.
  bool addBox(const std::string& line, RecordedImage& image) {
    const std::vector<std::string_view> words = wordsOf(line);
    if (words.size() < 8) return false;
    double sides[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const auto value = numberOfWord(words[4 + i]);
      if (!value) return false;
      sides[i] = *value;
    }
    Box box = boxOfSides(sides[0], sides[1], sides[2], sides[3]);
    if (box.w < 0 || box.h < 0) return false;
    const bool ignored = words[0] == "DontCare";
    box.type = ignored ? kUnknown : m_classes.numberOfBox(kittiClass(words[0]));
    (ignored ? image.crowds : image.boxes).push_back(std::move(box));
    return true;
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  NamedPictures m_pictures;
  Recording m_recording;
  ClassList m_classes;
};

// testing/image_2: pictures that nobody labelled, to predict.
bool isTestSet(const fs::path& folder) {
  std::error_code code;
  return folder.filename() == kKittiPictures && folder.parent_path().filename() == "testing" &&
         !fs::exists(folder.parent_path() / kKittiLabels, code);
}

}  // namespace

Result<std::vector<ImportUnit>> KittiRecordings::discover(const fs::path& path) const {
  std::map<fs::path, std::vector<fs::path>> folders;
  const auto looked = [](const std::string& name) { return endsWith(name, ".txt") || isImageName(name); };
  for (const fs::path& file : findFiles(path, looked)) {
    const fs::path folder = file.parent_path();
    const bool labels = folder.filename() == kKittiLabels && lower(file.extension().string()) == ".txt";
    if (labels || (isTestSet(folder) && isImageName(lower(file.filename().string())))) folders[folder].push_back(file);
  }
  std::vector<ImportUnit> units;
  for (auto& [folder, files] : folders) {
    const fs::path part = folder.parent_path();  // of which a test set is named, as its pictures have the same names
    units.push_back({.name = folder.string(),
                     .split = splitOfAnnotationFile(files.front()),
                     .files = files,
                     .base = folder.filename() == kKittiLabels ? part : part.parent_path(),
                     .title = part.filename().string()});
  }
  return units;
}

Status KittiRecordings::read(const ImportUnit& unit, RecordingSink& sink) const {
  return KittiReader(unit, sink).run();
}

}  // namespace roadtune::data
