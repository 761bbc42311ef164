// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/storage/companions.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/storage/location.h"

#include <nlohmann/json.hpp>

namespace roadtune::data {

namespace {

using nlohmann::json;

void addName(std::set<std::string>& names, const json& value) {
  if (!value.is_string()) return;
  const std::string name = fs::path(value.get<std::string>()).lexically_normal().generic_string();
  if (staysBelow(name)) names.insert(name);
}

void addMember(std::set<std::string>& names, const json& object, const char* member) {
  if (object.is_object() && object.contains(member)) addName(names, object[member]);
}

}  // namespace

bool namesPictures(const std::string& file) { return endsWith(file, ".jsonl") || endsWith(file, ".json"); }

Result<std::set<std::string>> companionsOf(const fs::path& file) {
  ROADTUNE_TRY(const std::string text, readFile(file));
  std::set<std::string> names = {"ATTRIBUTION"};
  if (endsWith(file.string(), ".jsonl")) {
    for (const std::string& line : split(text, '\n')) addMember(names, json::parse(line, nullptr, false), "image");
    return names;
  }
  const json coco = json::parse(text, nullptr, false);
  if (!coco.is_object() || !coco.contains("images") || !coco["images"].is_array()) return names;
  for (const json& image : coco["images"]) {
    addMember(names, image, "file_name");
    if (image.is_object() && image.contains("file_name") && image["file_name"].is_string())
      addName(names, "images/" + image["file_name"].get<std::string>());
  }
  return names;
}

}  // namespace roadtune::data
