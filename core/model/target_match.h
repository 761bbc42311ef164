// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/model/method.h"
#include "core/model/python_regex.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roadtune::model {

// Which modules get a LoRA branch, and of what rank: peft's rules, word for word. Lists match a path that equals an
// entry or ends with "." + entry; a pattern must match the whole path; modules_to_save and their insides never match.
class TargetMatcher {
 public:
  static Result<TargetMatcher> create(const Method& method);

  enum class Answer { No, Excluded, OtherLayer, Yes };
  Answer answer(std::string_view path, bool isLinear) const;

  // The path ends with a word of modules_to_save; peft asks for no dot before it.
  bool isSaved(std::string_view path) const;

  // Would a target name or pattern take it, whatever is excluded or limited to layers?
  bool isNamed(std::string_view path, bool isLinear) const;

  int rankOf(std::string_view path) const;
  double alphaOf(std::string_view path) const;

 private:
  explicit TargetMatcher(const Method& method) : m_method(method) {}
  bool inLayers(std::string_view path) const;

  Method m_method;
  std::optional<PythonRegex> m_target, m_exclude;
  std::vector<PythonRegex> m_saved, m_layers;
  std::vector<std::pair<PythonRegex, int>> m_ranks;
  std::vector<std::pair<PythonRegex, double>> m_alphas;
};

// transformers' should_convert_module: a skip entry spares what it matches from the start up to a dot, and what ends
// with it.
Result<bool> isSkipped(std::string_view path, const std::vector<std::string>& skip);

// Does a `modules:` line cover this path: its words stand in the path one after the other, to the end or with more
// below. Spellings of other layouts ("language_model.model.layers.3", "vision_tower.vision_model") are understood.
bool ruleCovers(std::string_view rulePath, std::string_view modulePath);

}  // namespace roadtune::model
