// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/term_names.h"

#include "core/base/text.h"

namespace roadtune::data {

namespace {

std::vector<std::string> termNames() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kTerms) names.emplace_back(name);
  return names;
}

}  // namespace

std::string nearestField(const std::string& word) {
  if (const auto* box = fieldNamed(boxFields(), word)) return "any(" + std::string(box->name) + " ...)";
  std::vector<std::string> fields;
  for (const auto& field : imageFields()) fields.emplace_back(field.name);
  std::vector<std::string> names = termNames();
  names.insert(names.begin(), fields.begin(), fields.end());
  names.insert(names.begin(), "loss");
  const std::string near = nearestWord(word, names);
  return near.empty() ? join(fields, ", ") : near;
}

std::string nearestTerm(const std::string& word) {
  const std::string near = nearestWord(word, termNames());
  return near.empty() ? join(termNames(), ", ") : near;
}

std::string nearestBoxField(const std::string& word, bool numbersOnly) {
  if (word == "height") return "h";
  if (word == "width") return "w";
  std::vector<std::string> names;
  for (const auto& field : boxFields())
    if (!numbersOnly || field.numeric) names.emplace_back(field.name);
  const std::string near = nearestWord(word, names);
  return near.empty() ? join(names, ", ") : near;
}

std::string exampleValue(std::string_view field, bool numeric) {
  static const std::vector<std::pair<std::string_view, const char*>> examples = {
      {"segment", "'1005*'"}, {"camera", "front"},     {"split", "training"},
      {"time", "Night"},      {"weather", "sunny"},    {"location", "location_sf"},
      {"labelled", "true"},   {"truncated", "true"},   {"tag", "reviewed"},
      {"note", "rain"},       {"class", "pedestrian"}, {"track", "v1"}};
  for (const auto& [name, example] : examples)
    if (name == field) return example;
  return numeric ? "40" : std::string();
}

}  // namespace roadtune::data
