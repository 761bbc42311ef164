// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/jsonl_recordings.h"

#include "core/base/counted.h"
#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/data/index/answer_boxes.h"
#include "core/data/index/class_list.h"
#include "core/data/index/find_files.h"
#include "core/data/index/label_reading.h"
#include "core/data/index/named_pictures.h"
#include "core/data/index/scene_fields.h"
#include "core/data/index/waymo_license.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

class JsonlReader {
 public:
  JsonlReader(const ImportUnit& unit, RecordingSink& sink)
      : m_unit(unit), m_sink(sink), m_file(unit.files.front()), m_lookup(m_file, unit.imageFolders, unit.nearFolders) {}

  Status run() {
    ROADTUNE_TRY(const MappedFile file, MappedFile::open(m_file, MappedFile::Access::Sequential));
    std::string_view rest = file.text();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      addLine(trim(rest.substr(0, end)), static_cast<std::int64_t>(file.size() - rest.size()));
      const std::size_t step = std::min(end + 1, rest.size());
      rest.remove_prefix(step);
      if (!m_sink.advance(step)) return cancelled();
      if (m_useless.size() == kMostUseless) break;
    }
    if (m_recordings.empty()) return nothingHere();
    m_odd.tell(m_file, m_sink);
    if (const auto beyond = m_classes.overflow(m_file.string())) m_sink.problem(*beyond);
    for (auto& [name, recording] : m_recordings) {
      recording.classes = m_classes.names();
      recording.name = name;
      recording.format = "jsonl";
      recording.waymo = hasWaymoAttribution(m_unit.base);
      ROADTUNE_CHECK(m_sink.deliver(std::move(recording)));
    }
    return {};
  }

 private:
  // Logs and other lists are JSON lines, too: while no line was good, what is wrong with them is not said one by one.
  static constexpr std::size_t kMostUseless = 1000;

  void skip(std::int64_t offset, std::string what, bool picture = false) {
    Problem problem{.file = m_file.string(),
                    .offset = offset,
                    .what = std::move(what),
                    .done = "line left out",
                    .picture = picture};
    if (m_isOurs || picture) return isOurs(), m_sink.problem(std::move(problem));
    m_useless.push_back(std::move(problem));
  }

  void isOurs() {
    m_isOurs = true;
    for (Problem& problem : m_useless) m_sink.problem(std::move(problem));
    m_useless.clear();
  }

  Error nothingHere() const {
    if (m_useless.empty()) return badInput("holds no line with an image and a text", m_file.string());
    return badInput("holds no line with an image and a text: " + m_useless.front().what, m_file.string());
  }

  void addLine(std::string_view line, std::int64_t offset) {
    ++m_line;
    if (line.empty()) return;
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object()) return skip(offset, fmt::format("line {} is not a JSON object", m_line));
    RecordedImage image;
    image.name = textOf(entry, "image");
    if (image.name.empty()) return skip(offset, fmt::format("line {} has no \"image\"", m_line));
    for (const char* key : {"prefix", "suffix"})
      if (entry.contains(key) && !entry[key].is_string() && !entry[key].is_null())
        return skip(offset, fmt::format("line {}: \"{}\" is not a text", m_line, key));
    image.prefix = textOf(entry, "prefix");
    image.suffix = textOf(entry, "suffix");
    const bool listed = entry.contains("boxes") && entry["boxes"].is_array();  // as `data export` writes them
    if (image.prefix.empty() && image.suffix.empty() && !listed)
      return skip(offset, fmt::format("line {} has neither \"prefix\" nor \"suffix\" nor \"boxes\"", m_line));
    if (image.suffix.empty() && !image.prefix.empty() && !listed && !entry.value("suffix", json()).is_string())
      addUnanswered(offset, image);
    readShot(entry, m_line, image);
    if (!listed) image.width = image.height = 0;  // the picture says
    image.labelled = listed ? entry.value("labelled", json(true)) != json(false)
                            : entry.contains("suffix") && entry["suffix"].is_string() && saysWhatIsThere(image);
    const auto file = m_lookup.find(image.name);
    if (!file) return skip(offset, fmt::format("line {}: picture {} was not found", m_line, image.name), true);
    if (!takePicture(*file, m_unit.base, image, m_odd)) addDamage(offset, image);
    listed ? addListed(entry["boxes"], offset, image) : addBoxes(offset, image);
    Recording scene = sceneOf(entry);
    const std::string name = scene.name.empty() ? m_unit.title : scene.name;
    m_recordings.try_emplace(name, std::move(scene)).first->second.images.push_back(std::move(image));
    isOurs();
  }

  // Without the size of the picture its boxes have no place.
  void addDamage(std::int64_t offset, RecordedImage& image) {
    image.labelled = false;
    m_sink.problem({.file = m_file.string(),
                    .offset = offset,
                    .what = fmt::format("line {}: picture {} cannot be read", m_line, image.name),
                    .done = "it stays in the index without boxes, marked as damaged",
                    .picture = true});
  }

  // A missing answer is not an empty one, which would be learnt.
  void addUnanswered(std::int64_t offset, RecordedImage& image) {
    image.prefix.clear();
    m_sink.problem({.file = m_file.string(),
                    .offset = offset,
                    .what = fmt::format("line {} has no \"suffix\"", m_line),
                    .done = "its picture is kept without a question; an empty suffix is an answer, too"});
  }

  void addBoxes(std::int64_t offset, RecordedImage& image) {
    auto problem = addAnsweredBoxes(image, m_classes);
    if (!problem) return;
    problem->file = m_file.string();
    problem->offset = offset;
    problem->what = fmt::format("line {}: {}", m_line, problem->what);
    m_sink.problem(*std::move(problem));
  }

  void addListed(const json& boxes, std::int64_t offset, RecordedImage& image) {
    std::size_t strange = 0;
    for (const json& source : boxes) {
      auto box = boxOfCorners(source);
      const std::string label = textOf(source, "label");
      if (!box || label.empty() || box->w < 0 || box->h < 0) {
        ++strange;
        continue;
      }
      box->id = textOf(source, "id");
      box->type = m_classes.numberOfBox(label);
      box->detectionLevel = levelOf(source, "detection_difficulty");
      box->trackingLevel = levelOf(source, "tracking_difficulty");
      image.boxes.push_back(*std::move(box));
    }
    image.unread += static_cast<std::uint32_t>(strange);
    if (strange > 0)
      m_sink.problem({.file = m_file.string(),
                      .offset = offset,
                      .what = fmt::format("line {}: {} without a label or its four sides", m_line,
                                          counted(strange, "box", "boxes")),
                      .done = "left out"});
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  fs::path m_file;
  OddPictures m_odd;
  ImageLookup m_lookup;
  std::map<std::string, Recording> m_recordings;  // by segment; lines of other programs name none
  ClassList m_classes;
  std::int64_t m_line = 0;
  bool m_isOurs = false;  // a line of it is about a picture
  std::vector<Problem> m_useless;
};

}  // namespace

Result<std::vector<ImportUnit>> JsonlRecordings::discover(const fs::path& path) const {
  std::vector<ImportUnit> units;
  for (const fs::path& file : findFiles(path, [](const std::string& name) { return endsWith(name, ".jsonl"); }))
    units.push_back(unitOfAnnotationFile(file));
  return units;
}

Status JsonlRecordings::read(const ImportUnit& unit, RecordingSink& sink) const {
  return JsonlReader(unit, sink).run();
}

}  // namespace roadtune::data
