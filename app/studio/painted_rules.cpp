// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/painted_rules.h"

#include <algorithm>
#include <string>

namespace roadtune::studio {
namespace {

using Rules = std::vector<config::ModuleOverride>;

std::string bare(const std::string& path) { return path.rfind("model.", 0) == 0 ? path.substr(6) : path; }

// Is `inner` the same module as `outer`, or below it?
bool covers(const std::string& outer, const std::string& inner) {
  const std::string name = bare(inner);
  return name == outer ||
         (name.size() > outer.size() && name.compare(0, outer.size(), outer) == 0 && name[outer.size()] == '.');
}

void paintMethod(Rules& rules, const std::string& path, const widgets::ModulePaint& paint) {
  config::ModuleOverride rule{path, paint.method.toStdString()};
  if (paint.rank) rule.r = *paint.rank;
  if (paint.alpha) rule.loraAlpha = *paint.alpha;
  if (paint.dropout) rule.loraDropout = *paint.dropout;
  if (paint.rate) rule.learningRate = *paint.rate;
  Rules below;  // types that go on counting
  for (const auto& covered : rules) {
    if (!covers(path, covered.pattern) || covered.dtype.empty()) continue;
    if (bare(covered.pattern) == path)
      rule.dtype = covered.dtype;
    else
      below.push_back({.pattern = covered.pattern, .method = {}, .dtype = covered.dtype});
  }
  std::erase_if(rules, [&](const auto& one) { return covers(path, one.pattern); });
  rules.push_back(std::move(rule));
  rules.insert(rules.end(), below.begin(), below.end());
}

void paintType(Rules& rules, const std::string& path, const std::string& type) {
  for (auto& rule : rules)
    if (covers(path, rule.pattern)) rule.dtype.clear();
  std::erase_if(rules, [](const auto& one) { return one.method.empty() && one.dtype.empty() && !one.learningRate; });
  const auto above = [&](const auto& rule) { return covers(bare(rule.pattern), path); };  // or the module itself
  const bool typed =
      std::any_of(rules.begin(), rules.end(), [&](const auto& r) { return above(r) && !r.dtype.empty(); });
  if (type == "auto" && !typed) return;
  const auto own = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return bare(r.pattern) == path; });
  if (own != rules.end()) {
    own->dtype = type;
    return;
  }
  // Behind what lies above it, so that its word counts; before all else, so that lines below it go on counting.
  const auto last = std::find_if(rules.rbegin(), rules.rend(), above);
  rules.insert(last.base(), {.pattern = path, .method = {}, .dtype = type});
}

}  // namespace

std::vector<config::ModuleOverride> paintedRules(Rules rules, const QStringList& modules,
                                                 const widgets::ModulePaint& paint) {
  for (const QString& module : modules) {
    const std::string path = bare(module.toStdString());
    if (paint.type)
      paintType(rules, path, paint.type->toStdString());
    else if (paint.method.isEmpty())
      std::erase_if(rules, [&](const auto& rule) { return covers(path, rule.pattern); });
    else
      paintMethod(rules, path, paint);
  }
  return rules;
}

std::vector<config::ModuleOverride> withRulesBefore(Rules rules, Rules before) {
  for (config::ModuleOverride& one : before) {
    const auto same = std::find_if(rules.begin(), rules.end(), [&](const auto& rule) {
      return rule.method.empty() && bare(rule.pattern) == bare(one.pattern);
    });
    if (same == rules.end()) continue;
    one.dtype = same->dtype;
    if (same->learningRate) one.learningRate = same->learningRate;
    rules.erase(same);
  }
  before.insert(before.end(), rules.begin(), rules.end());
  return before;
}

config::Value rulesValue(const Rules& rules) {
  config::Value::Map map;
  for (const config::ModuleOverride& rule : rules) {
    config::Value::Map detail;
    if (!rule.method.empty()) detail.emplace_back("method", config::Value(rule.method));
    if (rule.r) detail.emplace_back("r", config::Value(*rule.r));
    if (rule.loraAlpha) detail.emplace_back("lora_alpha", config::Value(*rule.loraAlpha));
    if (rule.loraDropout) detail.emplace_back("lora_dropout", config::Value(*rule.loraDropout));
    if (rule.learningRate) detail.emplace_back("learning_rate", config::Value(*rule.learningRate));
    if (!rule.dtype.empty()) detail.emplace_back("dtype", config::Value(rule.dtype));
    const bool methodAlone = detail.size() == 1 && !rule.method.empty();
    map.emplace_back(rule.pattern, methodAlone ? config::Value(rule.method) : config::Value(std::move(detail)));
  }
  return map;
}

}  // namespace roadtune::studio
