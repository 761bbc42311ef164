// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roadtune::config {

// A YAML document as it was written: nothing is interpreted, duplicate keys are all there, and everything has a place.
struct YamlNode {
  enum class Kind { Null, Scalar, List, Map };
  using Entry = std::pair<YamlNode, YamlNode>;

  Kind kind = Kind::Null;
  std::string text = {};     // of a scalar; of a null the word for it, where there is one
  bool quoted = false;       // "..." or '...': a text even when it looks like a number or null
  bool flow = false;         // [..] or {..}
  bool aliased = false;      // reached through *name
  int line = 0, column = 0;  // from 1; columns in characters
  std::size_t offset = 0;    // in bytes
  std::vector<YamlNode> items = {};
  std::vector<Entry> entries = {};

  bool isNull() const;  // nothing, ~ or null without quotes
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isList() const { return kind == Kind::List; }
  bool isMap() const { return kind == Kind::Map; }
};

void clearPlaces(YamlNode& node);  // of text that stands in no file: its lines are nobody's

struct YamlError {
  int line = 0, column = 0;
  std::string message;
  std::string hint = {};
};

struct YamlTree {
  YamlNode root;  // Null for an empty document
  std::optional<YamlError> error = {};
};

// Takes any bytes. Refuses what no configuration needs and some parsers die of: more than 1 MiB, nesting beyond 32,
// more than 50,000 nodes (aliases count in full), several documents, bytes that are not UTF-8 text.
YamlTree parseYaml(std::string_view text);

}  // namespace roadtune::config
