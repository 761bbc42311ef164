// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/term_names.h"

#include "core/base/text.h"

namespace roadtune::data {

std::string nearestField(const std::string& word) {
  if (const auto* box = fieldNamed(boxFields(), word)) return "any(" + std::string(box->name) + " ...)";
  std::vector<std::string> names = {"loss"};
  for (const auto& field : imageFields()) names.emplace_back(field.name);
  for (const auto& [name, kind] : kTerms) names.emplace_back(name);
  return nearestWord(word, names);
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

}  // namespace roadtune::data
