// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/target_match.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace roadtune::model {
namespace {

bool endsWithEntry(std::string_view path, const std::vector<std::string>& entries) {
  return std::any_of(entries.begin(), entries.end(), [&](const std::string& entry) {
    return path == entry ||
           (path.size() > entry.size() && endsWith(path, entry) && path[path.size() - entry.size() - 1] == '.');
  });
}

bool isNumber(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::optional<int> numberAt(const std::vector<std::string>& words, std::size_t index) {
  if (index + 1 >= words.size() || !isNumber(words[index]) || words[index].size() > 8) return std::nullopt;
  return std::stoi(words[index]);
}

Result<PythonRegex> compileFor(const std::string& key, const std::string& pattern) {
  auto regex = PythonRegex::compile(pattern);
  if (!regex.ok()) return badInput(regex.error().what, key);
  return regex;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

Result<TargetMatcher> TargetMatcher::create(const Method& method) {
  TargetMatcher matcher(method);
  if (!method.targets.pattern.empty()) {
    ROADTUNE_TRY(matcher.m_target, compileFor("target_modules", method.targets.pattern));
  }
  if (!method.exclude.pattern.empty()) {
    ROADTUNE_TRY(matcher.m_exclude, compileFor("exclude_modules", method.exclude.pattern));
  }
  for (const std::string& name : method.modulesToSave) {
    ROADTUNE_TRY(auto regex, compileFor("modules_to_save", "(^|.*\\.)" + name + "($|\\..*)"));
    matcher.m_saved.push_back(std::move(regex));
  }
  for (const std::string& pattern : method.layersPattern) {
    // The number behind the pattern is captured by position: see inLayers().
    ROADTUNE_TRY(auto regex, compileFor("layers_pattern", "(?:^|.*?\\.)" + pattern));
    matcher.m_layers.push_back(std::move(regex));
  }
  for (const auto& [pattern, r] : method.rankPattern) {
    ROADTUNE_TRY(auto regex, compileFor("rank_pattern", "(.*\\.)?(" + pattern + ")$"));
    matcher.m_ranks.emplace_back(std::move(regex), r);
  }
  for (const auto& [pattern, alpha] : method.alphaPattern) {
    ROADTUNE_TRY(auto regex, compileFor("alpha_pattern", "(.*\\.)?(" + pattern + ")$"));
    matcher.m_alphas.emplace_back(std::move(regex), alpha);
  }
  const bool asText = method.targets.allLinear || !method.targets.pattern.empty();
  if (asText && !method.layersToTransform.empty())
    return badInput("cannot be combined with a target_modules pattern or all-linear", "layers_to_transform",
                    "give target_modules as a list, or put the layer numbers into the pattern");
  if (!method.layersPattern.empty() && method.layersToTransform.empty())
    return badInput("needs layers_to_transform", "layers_pattern");
  return matcher;
}

TargetMatcher::Answer TargetMatcher::answer(std::string_view path, bool isLinear) const {
  if (m_exclude ? m_exclude->fullMatch(path) : endsWithEntry(path, m_method.exclude.names)) return Answer::Excluded;
  if (std::any_of(m_saved.begin(), m_saved.end(), [&](const PythonRegex& regex) { return regex.match(path); }))
    return Answer::Excluded;
  if (!isNamed(path, isLinear)) return Answer::No;
  const auto& names = m_method.targets.names;
  const bool byFullPath = std::find(names.begin(), names.end(), path) != names.end();
  return byFullPath || inLayers(path) ? Answer::Yes : Answer::OtherLayer;
}

bool TargetMatcher::isNamed(std::string_view path, bool isLinear) const {
  if (m_method.targets.allLinear) return isLinear && path != "lm_head";
  if (m_target) return m_target->fullMatch(path);
  return endsWithEntry(path, m_method.targets.names);
}

bool TargetMatcher::isSaved(std::string_view path) const {
  return std::any_of(m_method.modulesToSave.begin(), m_method.modulesToSave.end(),
                     [&](const std::string& name) { return endsWith(path, name); });
}

// Without a layers_pattern the first number in the path counts, from the third word on (as in "x.layers.3.y").
bool TargetMatcher::inLayers(std::string_view path) const {
  const auto& wanted = m_method.layersToTransform;
  if (wanted.empty()) return true;
  const auto words = split(path, '.');
  const auto isWanted = [&](std::optional<int> layer) {
    return layer && std::find(wanted.begin(), wanted.end(), *layer) != wanted.end();
  };
  if (m_layers.empty()) {
    for (std::size_t i = 2; i < words.size(); ++i)
      if (const auto layer = numberAt(words, i)) return isWanted(layer);
    return false;
  }
  for (const PythonRegex& regex : m_layers) {
    std::string head;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (const auto layer = numberAt(words, i); layer && !head.empty() && regex.fullMatch(head))
        return isWanted(layer);
      head += (head.empty() ? "" : ".") + words[i];
    }
  }
  return false;
}

int TargetMatcher::rankOf(std::string_view path) const {
  for (const auto& [regex, r] : m_ranks)
    if (regex.match(path)) return r;
  return m_method.r;
}

double TargetMatcher::alphaOf(std::string_view path) const {
  for (const auto& [regex, alpha] : m_alphas)
    if (regex.match(path)) return alpha;
  return m_method.loraAlpha;
}

Result<bool> isSkipped(std::string_view path, const std::vector<std::string>& skip) {
  for (const std::string& entry : skip) {
    ROADTUNE_TRY(const PythonRegex regex,
                 compileFor("llm_int8_skip_modules", "(?:" + entry + ")(?:(?<=\\.)|(?=\\.|$))"));
    if (regex.match(path) || endsWith(path, entry)) return true;
  }
  return false;
}

bool ruleCovers(std::string_view rulePath, std::string_view modulePath) {
  std::string rule = "." + std::string(rulePath) + ".";
  replaceAll(rule, ".base_model.model.", ".");
  replaceAll(rule, ".vision_tower.vision_model.", ".vision_tower.");
  replaceAll(rule, ".language_model.model.", ".language_model.");
  return ("." + std::string(modulePath) + ".").find(rule) != std::string::npos;
}

}  // namespace roadtune::model
