// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/schema.h"
#include "core/config/yaml_node.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::config {

// Turns written values into typed ones, and says what is wrong with those that it cannot turn. Ranges are checked here;
// what several keys mean together is checked in rules.h.
class Converter {
 public:
  // `folder` is where relative paths count from; empty leaves them as they are.
  Converter(std::string where, std::filesystem::path folder, std::vector<Problem>& problems)
      : m_where(std::move(where)), m_folder(std::move(folder)), m_problems(problems) {}

  // The value in the field's canonical form; nothing after a problem was reported.
  std::optional<Value> convert(const Field& field, AliasRule rule, const std::string& spelled, const YamlNode& node);

 private:
  struct Target {
    const Field& field;
    const std::string& spelled;
    const YamlNode& node;
  };

  std::optional<Value> plain(const Target& target);
  std::optional<Value> viaAlias(const Target& target, AliasRule rule);
  std::optional<Value> fromBits(const Target& target);
  std::optional<Value> onlyOne(const Target& target);
  std::optional<Value> fromSampling(const Target& target);

  std::optional<Value> scalar(const Target& target, FieldType type);
  std::optional<Value> elsewhere(const Target& target, const std::string& word);
  std::optional<Value> numeric(const Target& target, FieldType type, const std::string& text);
  std::optional<Value> choice(const Target& target, const std::string& text);
  std::optional<Value> list(const Target& target, FieldType itemType);
  std::optional<Value> textOrList(const Target& target);
  std::optional<Value> map(const Target& target);

  std::optional<Value> sources(const Target& target);
  std::optional<Value> source(const Target& target);
  std::optional<Value> overrides(const Target& target);
  std::optional<Value> overrideOf(const Target& target);
  std::optional<Value> memberOf(const Target& target, const YamlNode& key, const YamlNode& value,
                                const char* fieldName);

  std::optional<std::string> text(const Target& target);  // of a scalar, with variables filled in
  bool inRange(const Target& target, double value);
  std::string absolute(const std::string& path) const;
  std::nullopt_t report(const Target& target, const std::string& message, const std::string& hint = {});
  std::nullopt_t wrongType(const Target& target, FieldType type);

  std::string m_where;
  std::filesystem::path m_folder;
  std::vector<Problem>& m_problems;
};

}  // namespace roadtune::config
