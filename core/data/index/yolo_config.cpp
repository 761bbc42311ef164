// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/yolo_config.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/config/yaml_node.h"
#include "core/data/index/label_reading.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace roadtune::data {

namespace {

using config::YamlNode;

constexpr std::uintmax_t kLargestConfig = 1 << 20;

// The last one counts, as where a program reads it.
const YamlNode* member(const YamlNode& map, std::string_view key) {
  const YamlNode* found = nullptr;
  for (const auto& [name, value] : map.entries)
    if (name.text == key) found = &value;
  return found;
}

std::optional<std::size_t> numberOf(const std::string& digits) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

// A list counts from 0; a map says its numbers. `null` and `no` are names like others.
std::map<std::size_t, std::string> namesIn(const YamlNode& node) {
  std::map<std::size_t, std::string> names;
  for (std::size_t i = 0; i < node.items.size(); ++i)
    if (!node.items[i].text.empty()) names[i] = node.items[i].text;
  for (const auto& [number, name] : node.entries)
    if (const auto i = numberOf(number.text); i && !name.text.empty()) names[*i] = name.text;
  if (node.isScalar()) names[0] = node.text;
  return names;
}

std::vector<std::string> placesIn(const YamlNode& node) {
  std::vector<std::string> places;
  if (node.isScalar()) places.push_back(node.text);
  for (const YamlNode& item : node.items)
    if (item.isScalar()) places.push_back(item.text);
  return places;
}

}  // namespace

Result<YoloConfig> readYoloConfig(const fs::path& file) {
  std::error_code code;
  if (fs::file_size(file, code) > kLargestConfig || code) return badInput("is no data.yaml", file.string());
  ROADTUNE_TRY(const std::string text, readFile(file));
  const config::YamlTree tree = config::parseYaml(withoutMark(text));
  if (tree.error)
    return badInput(tree.error->message, fmt::format("{}:{}:{}", file.string(), tree.error->line, tree.error->column),
                    tree.error->hint);
  YoloConfig config;
  if (const YamlNode* names = member(tree.root, "names")) config.names = namesIn(*names);
  if (const YamlNode* path = member(tree.root, "path"); path && path->isScalar()) config.path = path->text;
  const char* val = member(tree.root, "val") ? "val" : "valid";
  for (const auto& [key, name] : {std::pair("train", "train"), {val, "val"}, {"test", "test"}})
    if (const YamlNode* places = member(tree.root, key))
      if (auto all = placesIn(*places); !all.empty()) config.places[name] = std::move(all);
  if (config.names.empty() || config.places.empty())
    return badInput("names no classes or no pictures", file.string(), "a data.yaml has names, train and val");
  return config;
}

}  // namespace roadtune::data
