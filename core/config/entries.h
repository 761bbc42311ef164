// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/schema.h"
#include "core/config/yaml_node.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// Comments behind values that nobody gave, in the files we write.
inline constexpr std::string_view kDefaultMark = "default", kImpliedMark = "implied";

// One key of a file that the schema knows. Points into the tree it was found in.
struct Entry {
  const Field* field = nullptr;
  AliasRule rule = AliasRule::Same;
  const YamlNode* key = nullptr;
  const YamlNode* value = nullptr;
  const YamlNode* parent = nullptr;  // the map that holds it
};

// A key that no field of the schema stands for; kept by importers, reported as a problem otherwise.
struct LeftOver {
  const YamlNode* key = nullptr;
  const YamlNode* value = nullptr;
  bool known = false;  // a key of another trainer that has no use here
};

struct EntryList {
  std::vector<Entry> entries;  // in the order of the file
  std::vector<LeftOver> leftOvers;
  std::map<std::string, const YamlNode*> sections;  // name -> its map, when the file is grouped
  std::vector<Problem> problems;

  const Entry* find(std::string_view canonicalName) const;
};

// Is this word a heading under which keys may stand? ("train", but also "lora", "training", "logging")
bool isSectionName(std::string_view word);

// The field that `word` means below the headings `path`: `alpha` below lora is lora_alpha.
FieldMatch matchInSection(std::string_view word, const std::vector<std::string>& path);

// Finds the keys, flat or grouped, and says which are unknown, twice there or not keys at all.
EntryList listEntries(const YamlNode& root, const std::string& where);

}  // namespace roadtune::config
