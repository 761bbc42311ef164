// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/eval/prediction_set.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/text/detection_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace roadtune::data {

namespace {

using nlohmann::json;

std::string textOf(const json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double numberOf(const json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_number() ? found->get<double>() : 0;
}

bool readBox(const json& from, EvalBox& box) {
  const auto found = from.find("bbox");
  if (found == from.end() || !found->is_array() || found->size() != 4) return false;
  for (const json& value : *found)
    if (!value.is_number()) return false;
  box = {(*found)[0].get<double>(), (*found)[1].get<double>(), (*found)[2].get<double>(), (*found)[3].get<double>()};
  return true;
}

}  // namespace

class PredictionReader {
 public:
  explicit PredictionReader(const Index& index) : m_index(index), m_labels(index.classNames()) {}

  Result<std::shared_ptr<const PredictionSet>> read(const std::filesystem::path& file) {
    ROADTUNE_TRY(const std::string text, readFile(file));
    const std::string_view begin = trim(std::string_view(text).substr(0, std::min<std::size_t>(text.size(), 64)));
    if (begin.starts_with("[")) {
      ROADTUNE_CHECK(addResults(file, text));
      addAsked(file.string() + ".texts.jsonl");
    } else {
      ROADTUNE_CHECK(addLines(file, text));
    }
    if (m_asked.empty())
      return badInput("none of these predictions belongs to the images of the index", file.string(),
                      "open the index that they were made with");
    return finish();
  }

 private:
  // Of "segment/timestamp/CAMERA", or of the name of a picture.
  std::optional<ImageId> place(const std::string& key) {
    const std::size_t last = key.rfind('/'),
                      middle = last == std::string::npos || last == 0 ? last : key.rfind('/', last - 1);
    if (middle != std::string::npos && last != std::string::npos && middle < last) {
      std::int64_t timestamp = 0;
      const char* end = key.data() + last;
      const auto [stop, problem] = std::from_chars(key.data() + middle + 1, end, timestamp);
      const auto camera = cameraFromName(key.substr(last + 1));
      if (problem == std::errc() && stop == end && camera)
        return m_index.find(std::string_view(key).substr(0, middle), timestamp, *camera);
    }
    if (m_names.empty())
      for (std::size_t i = 0; i < m_index.imageCount(); ++i)
        m_names.emplace(m_index.imageLabel(static_cast<ImageId>(i)), static_cast<ImageId>(i));
    const auto found = m_names.find(key);
    return found == m_names.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<ImageId> asked(const std::string& key) {
    const auto known = m_known.find(key);
    if (known != m_known.end()) return known->second;
    const auto image = place(key);
    m_known.emplace(key, image);
    if (image) m_asked.insert(*image);
    if (!image) ++m_elsewhere;
    return image;
  }

  std::int64_t categoryOf(const std::string& label) {
    const auto found = std::find(m_labels.begin(), m_labels.end(), label);
    if (found == m_labels.end()) return m_labels.push_back(label), static_cast<std::int64_t>(m_labels.size()) - 1;
    return found - m_labels.begin();
  }

  Status addResults(const std::filesystem::path& file, const std::string& text) {
    const json all = json::parse(text, nullptr, false);
    if (!all.is_array()) return badInput("is no list of results", file.string());
    for (const json& one : all) {
      EvalBox box;
      if (!one.is_object() || !readBox(one, box)) return badInput("holds an entry without a box", file.string());
      const std::string key = textOf(one, "image");
      const auto number = static_cast<std::int64_t>(numberOf(one, "image_id"));
      const bool counted = number >= 1 && number <= static_cast<std::int64_t>(m_index.imageCount());
      if (key.empty() && !counted) continue;
      const auto image = asked(!key.empty() ? key : m_index.imageLabel(static_cast<ImageId>(number - 1)));
      if (!image) continue;
      const std::string label = textOf(one, "category");  // numbers may be those of another file
      m_found.push_back(
          {.image = static_cast<std::int64_t>(*image),
           .category = label.empty() ? static_cast<std::int64_t>(numberOf(one, "category_id")) : categoryOf(label),
           .box = box,
           .score = numberOf(one, "score")});
    }
    return {};
  }

  // Pictures for which the model found nothing stand only in the texts beside the results.
  void addAsked(const std::filesystem::path& file) {
    const Result<std::string> text = readFile(file);
    if (!text.ok()) return;
    for (const std::string& line : split(text.value(), '\n')) {
      const json one = json::parse(line, nullptr, false);
      if (one.is_object() && !textOf(one, "image").empty()) (void)asked(textOf(one, "image"));
    }
  }

  Status addLines(const std::filesystem::path& file, const std::string& text) {
    for (const std::string& line : split(text, '\n')) {
      if (trim(line).empty()) continue;
      const json one = json::parse(line, nullptr, false);
      if (!one.is_object()) return badInput("holds a line that is no prediction", file.string());
      if (const auto image = asked(textOf(one, "image"))) addLine(one, *image);
    }
    return {};
  }

  void addLine(const json& line, ImageId image) {
    const auto boxes = line.find("boxes");
    if (boxes == line.end() || !boxes->is_array()) return addText(line, image);
    for (const json& one : *boxes) {
      EvalBox box;
      if (!one.is_object() || !readBox(one, box)) continue;
      m_found.push_back({.image = static_cast<std::int64_t>(image),
                         .category = categoryOf(textOf(one, "label")),
                         .box = box,
                         .score = numberOf(one, "score")});
    }
  }

  // Lines of earlier versions: the text of the answer, and one score for all of it.
  void addText(const json& line, ImageId image) {
    const ImageInfo info = m_index.image(image);
    for (const text::ParsedBox& one : text::parseDetections(textOf(line, "text"), info.width, info.height).boxes) {
      if (!one.valid) continue;
      const text::LocBox& b = one.box;
      m_found.push_back({.image = static_cast<std::int64_t>(image),
                         .category = categoryOf(std::string(trim(one.label))),
                         .box = {b.x1, b.y1, b.x2 - b.x1, b.y2 - b.y1},
                         .score = numberOf(line, "score")});
    }
  }

  Result<std::shared_ptr<const PredictionSet>> finish() {
    auto set = std::make_shared<PredictionSet>();
    for (const ImageId image : m_asked) {
      set->m_places.emplace(image, set->m_truth.images.size());
      set->m_truth.images.push_back(static_cast<std::int64_t>(image));
      const std::vector<Box> boxes = m_index.boxes(image);
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        set->m_boxOf.push_back(i);
        addTruth(*set, image, boxes[i], boxes[i].type, false);
      }
      for (const Box& crowd : m_index.crowds(image)) {
        for (std::size_t label = 0; label < m_labels.size(); ++label) {
          if (!crowdIsOf(crowd.type, label)) continue;
          set->m_boxOf.push_back(boxes.size());  // never missed
          addTruth(*set, image, crowd, label, true);
        }
      }
    }
    for (std::size_t i = 0; i < m_labels.size(); ++i)
      set->m_truth.categories.push_back({static_cast<std::int64_t>(i), m_labels[i]});
    set->m_found = std::move(m_found);
    set->m_elsewhere = m_elsewhere;
    set->m_pairs = std::make_unique<const IouPairs>(set->m_truth, set->m_found);
    return std::shared_ptr<const PredictionSet>(std::move(set));
  }

  static void addTruth(PredictionSet& set, ImageId image, const Box& box, std::size_t label, bool crowd) {
    set.m_truth.boxes.push_back({.id = static_cast<std::int64_t>(set.m_truth.boxes.size()) + 1,
                                 .image = static_cast<std::int64_t>(image),
                                 .category = static_cast<std::int64_t>(label),
                                 .box = {box.x, box.y, box.w, box.h},
                                 .area = box.area(),
                                 .crowd = crowd});
  }

  const Index& m_index;
  std::vector<std::string> m_labels;  // of the index, then those that only the model uses
  std::unordered_map<std::string, ImageId> m_names;
  std::unordered_map<std::string, std::optional<ImageId>> m_known;
  std::set<ImageId> m_asked;
  std::vector<Detection> m_found;
  std::size_t m_elsewhere = 0;
};

Result<std::shared_ptr<const PredictionSet>> PredictionSet::read(const std::filesystem::path& file,
                                                                 const Index& index) {
  return PredictionReader(index).read(file);
}

PredictionSet::OnImage PredictionSet::on(ImageId image, double iou, double score) const {
  OnImage result;
  const auto place = m_places.find(image);
  if (place == m_places.end()) return result;
  const IouPairs::Outcomes outcomes = m_pairs->outcomes(place->second, iou, score);
  for (const auto& [number, hit] : outcomes.found) {
    const Detection& found = m_found[number];
    result.boxes.push_back(
        {m_truth.categories[static_cast<std::size_t>(found.category)].name, found.box, found.score, hit});
    ++(hit ? result.counts.hits : result.counts.wrong);
  }
  for (const std::size_t number : outcomes.missed) result.missed.push_back(m_boxOf[number]);
  result.counts.missed = result.missed.size();
  return result;
}

}  // namespace roadtune::data
