// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/eval/detections.h"

#include "core/data/index/json_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

namespace roadtune::data {

namespace {

using nlohmann::json;

// Reads the fields of one element; the first thing that is wrong stays in `what`.
class Fields {
 public:
  Fields(const json& element, std::string where) : m_element(element), m_where(std::move(where)) {
    if (!element.is_object()) fail("is not an object");
  }

  std::int64_t integer(const char* key) {
    const json* value = find(key);
    if (!value) return 0;
    if (value->is_number_integer()) return value->get<std::int64_t>();
    const double number = value->is_number() ? value->get<double>() : std::nan("");
    if (number == std::floor(number) && std::abs(number) < 9e15) return static_cast<std::int64_t>(number);
    fail(fmt::format("\"{}\" is not a whole number", key));
    return 0;
  }

  double number(const char* key) {
    const json* value = find(key);
    if (value && value->is_number() && std::isfinite(value->get<double>())) return value->get<double>();
    if (value) fail(fmt::format("\"{}\" is not a number", key));
    return 0;
  }

  EvalBox box() {
    const json* value = find("bbox");
    if (!value) return {};
    const bool sound = value->is_array() && value->size() == 4 &&
                       std::all_of(value->begin(), value->end(), [](const json& v) { return v.is_number(); });
    if (!sound) {
      fail("\"bbox\" is not [x, y, width, height]");
      return {};
    }
    return {(*value)[0].get<double>(), (*value)[1].get<double>(), (*value)[2].get<double>(), (*value)[3].get<double>()};
  }

  bool has(const char* key) const { return m_element.is_object() && m_element.contains(key); }
  const json& at(const char* key) const { return m_element.at(key); }
  bool ok() const { return m_what.empty(); }
  const std::string& what() const { return m_what; }

 private:
  const json* find(const char* key) {
    if (!m_what.empty()) return nullptr;
    const auto found = m_element.find(key);
    if (found != m_element.end()) return &*found;
    fail(fmt::format("has no \"{}\"", key));
    return nullptr;
  }
  void fail(const std::string& what) {
    if (m_what.empty()) m_what = m_where + " " + what;
  }
  const json& m_element;
  std::string m_where, m_what;
};

bool truthOf(const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  return value.is_number() && value.get<double>() != 0;
}

int levelOf(const json& value) {
  if (value.is_string()) return value.get<std::string>() == "LEVEL_2" ? 2 : 1;
  return value.is_number() && value.get<double>() == 2 ? 2 : 1;
}

// Texts that name images, and a number for each.
class ImageTexts {
 public:
  std::int64_t numberOf(Fields& fields, const char* key) {
    if (!fields.has(key) || !fields.at(key).is_string()) return m_someNumbers = true, fields.integer(key);
    const auto next = static_cast<std::int64_t>(m_numbers.size());
    return m_numbers.emplace(fields.at(key).get<std::string>(), next).first->second;
  }
  bool used() const { return !m_numbers.empty(); }
  bool mixed() const { return used() && m_someNumbers; }

  // From the numbers given so far to places in the order of the texts.
  std::vector<std::int64_t> places() const {
    std::vector<std::int64_t> places(m_numbers.size());
    std::int64_t place = 0;
    for (const auto& [text, number] : m_numbers) places[static_cast<std::size_t>(number)] = place++;
    return places;
  }
  std::vector<std::string> sorted() const {
    std::vector<std::string> texts;
    for (const auto& [text, number] : m_numbers) texts.push_back(text);
    return texts;
  }

 private:
  std::map<std::string, std::int64_t> m_numbers;
  bool m_someNumbers = false;
};

class TruthReader {
 public:
  Result<GroundTruth> read(const std::filesystem::path& file) {
    const auto visit = [this](auto member) {
      return [this, member](json& element) {
        (this->*member)(element);
        return m_what.empty();
      };
    };
    ROADTUNE_CHECK(forEachElement(file, {{"images", visit(&TruthReader::addImage)},
                                         {"categories", visit(&TruthReader::addCategory)},
                                         {"annotations", visit(&TruthReader::addBox)}}));
    if (!m_what.empty()) return badInput(m_what, file.string());
    if (m_truth.images.empty()) return badInput("is no COCO ground truth: it has no \"images\"", file.string());
    if (m_truth.categories.empty()) return badInput("is no COCO ground truth: it has no \"categories\"", file.string());
    if (m_texts.mixed()) return badInput("some ids of images are texts and some are numbers", file.string());
    if (m_texts.used()) orderTexts();
    auto& images = m_truth.images;
    std::sort(images.begin(), images.end());
    images.erase(std::unique(images.begin(), images.end()), images.end());
    auto& categories = m_truth.categories;
    std::stable_sort(categories.begin(), categories.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    const auto same = [](const auto& a, const auto& b) { return a.id == b.id; };
    categories.erase(std::unique(categories.begin(), categories.end(), same), categories.end());
    tellApart(categories);
    return std::move(m_truth);
  }

 private:
  // Figures stand under names: where two classes have the same one, the number says which.
  static void tellApart(std::vector<GroundTruth::Category>& categories) {
    std::map<std::string, int> uses;
    for (const auto& one : categories) ++uses[one.name];
    for (auto& one : categories)
      if (uses[one.name] > 1) one.name += fmt::format(" ({})", one.id);
  }
  void orderTexts() {
    const auto places = m_texts.places();
    for (auto& image : m_truth.images) image = places[static_cast<std::size_t>(image)];
    for (auto& box : m_truth.boxes) box.image = places[static_cast<std::size_t>(box.image)];
    m_truth.texts = m_texts.sorted();
  }
  void addImage(json& element) {
    Fields fields(element, fmt::format("image {}", m_images++));
    m_truth.images.push_back(m_texts.numberOf(fields, "id"));
    m_what = fields.what();
  }
  void addCategory(json& element) {
    Fields fields(element, fmt::format("category {}", m_truth.categories.size()));
    const std::int64_t id = fields.integer("id");
    const bool named = fields.has("name") && fields.at("name").is_string();
    m_truth.categories.push_back({id, named ? fields.at("name").get<std::string>() : std::to_string(id)});
    m_what = fields.what();
  }
  void addBox(json& element) {
    Fields fields(element, fmt::format("annotation {}", m_truth.boxes.size()));
    TruthBox box;
    const bool named = fields.has("id") && fields.at("id").is_string();
    box.id = named ? static_cast<std::int64_t>(m_truth.boxes.size()) + 1 : fields.integer("id");
    box.image = m_texts.numberOf(fields, "image_id");
    box.category = fields.integer("category_id");
    box.box = fields.box();
    box.area = fields.has("area") ? fields.number("area") : box.box.w * box.box.h;
    if (fields.has("iscrowd")) box.crowd = truthOf(fields.at("iscrowd"));
    if (fields.has("detection_difficulty")) box.level = levelOf(fields.at("detection_difficulty"));
    m_what = fields.what();
    m_truth.boxes.push_back(box);
  }

  GroundTruth m_truth;
  ImageTexts m_texts;
  std::size_t m_images = 0;
  std::string m_what;
};

}  // namespace

double boxIou(const EvalBox& d, const EvalBox& g, bool crowd) {
  const double w = std::min(d.x + d.w, g.x + g.w) - std::max(d.x, g.x);
  if (w <= 0) return 0;
  const double h = std::min(d.y + d.h, g.y + g.h) - std::max(d.y, g.y);
  if (h <= 0) return 0;
  const double both = w * h, own = d.w * d.h;
  return both / (crowd ? own : own + g.w * g.h - both);
}

Result<GroundTruth> readGroundTruth(const std::filesystem::path& file) { return TruthReader().read(file); }

Result<std::vector<Detection>> readDetections(const std::filesystem::path& file, const GroundTruth& truth) {
  const std::unordered_set<std::int64_t> images(truth.images.begin(), truth.images.end());
  // Less than 0 for a text that the ground truth does not have.
  const auto imageOf = [&](Fields& fields) {
    if (truth.texts.empty() || !fields.has("image_id") || !fields.at("image_id").is_string())
      return fields.integer("image_id");
    const auto text = fields.at("image_id").get<std::string>();
    const auto found = std::lower_bound(truth.texts.begin(), truth.texts.end(), text);
    return found != truth.texts.end() && *found == text ? found - truth.texts.begin() : std::int64_t{-1};
  };
  std::vector<Detection> detections;
  std::string what;
  bool list = false;
  const auto add = [&](json& element) {
    list = true;
    Fields fields(element, fmt::format("result {}", detections.size()));
    Detection detection;
    detection.image = imageOf(fields);
    detection.category = fields.integer("category_id");
    detection.box = fields.box();
    detection.score = fields.number("score");
    what = fields.what();
    if (what.empty() && !images.contains(detection.image))
      what = fmt::format("result {} is about image {}, which the ground truth does not have", detections.size(),
                         fields.at("image_id").dump());
    detections.push_back(detection);
    return what.empty();
  };
  const Status read = forEachElement(file, {{"", add}});
  if (!read.ok()) return read.error();
  if (!what.empty()) return badInput(what, file.string());
  if (!list && !isJsonArray(file))
    return badInput("is no COCO results file: an array of {image_id, category_id, bbox, score} is expected",
                    file.string());
  return detections;
}

}  // namespace roadtune::data
