// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/comparison.h"

#include "core/base/text.h"
#include "core/config/readable.h"
#include "core/config/resolve.h"
#include "core/config/yaml_node.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace roadtune::runs {

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

void flatten(const config::YamlNode& node, const std::string& key, Settings& out) {
  if (node.isMap()) {
    for (const auto& [name, value] : node.entries) flatten(value, key.empty() ? name.text : key + "." + name.text, out);
  } else if (node.isList()) {
    const bool plain =
        std::all_of(node.items.begin(), node.items.end(), [](const auto& item) { return item.isScalar(); });
    std::string joined;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (!plain) flatten(node.items[i], key + "." + std::to_string(i), out);
      joined += (i ? ", " : "") + node.items[i].text;
    }
    if (plain) out.emplace_back(key, joined);
  } else {
    out.emplace_back(key, node.isNull() ? "" : node.text);
  }
}

// A key that no setting of this version is, also not as a part of one.
bool isUnknown(const std::string& key) {
  const auto parts = split(key, '.');
  return std::none_of(parts.begin(), parts.end(), [](const auto& part) { return config::findField(part) != nullptr; });
}

// Every setting with its meaning: aliases, defaults and spellings agree. Of a text that no run could start from what
// can be read of it, and what is unknown as it stands there.
std::optional<Settings> meaningOf(const ConfigText& text) {
  const config::Document document(text.yaml, text.folder / "run.yaml");
  if (!config::isReadable(document)) return {};
  const auto resolution = config::resolve(document, {config::Purpose::Editing, {}});
  const config::RunConfig config = resolution.config ? *resolution.config : config::readableConfig(document);
  Settings settings;
  for (const config::Field& field : config::schema())
    settings.emplace_back(field.name, config::toDisplay(config.value(field.name)));
  for (auto& one : flattenSettings(text.yaml))
    if (isUnknown(one.first)) settings.push_back(std::move(one));
  return settings;
}

double smallest(const Series& series) {
  const Column all = series.summarize(0, series.size());
  return all.min;
}

// Walks both lines along their common steps.
MetricDifference compareMetric(const std::string& metric, const Series& a, const Series& b) {
  MetricDifference result;
  result.metric = metric;
  result.bestA = smallest(a);
  result.bestB = smallest(b);
  result.a = result.b = std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  std::size_t finite = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a.steps()[i] < b.steps()[j]) {
      ++i;
    } else if (b.steps()[j] < a.steps()[i]) {
      ++j;
    } else {
      result.step = a.steps()[i];
      result.a = a.values()[i++];
      result.b = b.values()[j++];
      ++result.commonSteps;
      const double difference = std::abs(result.a - result.b);
      if (!std::isfinite(difference)) continue;
      sum += difference;
      ++finite;
    }
  }
  result.meanAbsoluteDifference = finite ? sum / static_cast<double>(finite) : std::numeric_limits<double>::quiet_NaN();
  return result;
}

std::optional<std::int64_t> firstDifference(const Series* a, const Series* b) {
  if (!a || !b) return {};
  for (std::size_t i = 0, j = 0; i < a->size() && j < b->size();) {
    if (a->steps()[i] < b->steps()[j]) {
      ++i;
    } else if (b->steps()[j] < a->steps()[i]) {
      ++j;
    } else {
      const double x = a->values()[i], y = b->values()[j];
      if (x != y && !(std::isnan(x) && std::isnan(y))) return a->steps()[i];
      ++i;
      ++j;
    }
  }
  return {};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> flattenSettings(const std::string& yaml) {
  Settings settings;
  const config::YamlTree tree = config::parseYaml(yaml);
  if (!tree.error) flatten(tree.root, "", settings);
  return settings;
}

std::vector<SettingDifference> compareSettings(const ConfigText& a, const ConfigText& b) {
  auto settingsA = meaningOf(a), settingsB = meaningOf(b);
  if (!settingsA || !settingsB) {
    settingsA = flattenSettings(a.yaml);
    settingsB = flattenSettings(b.yaml);
  }
  std::map<std::string, SettingDifference> all;
  for (const auto& [key, value] : *settingsA) all[key].a = value;
  for (const auto& [key, value] : *settingsB) all[key].b = value;
  std::vector<SettingDifference> different;
  for (auto& [key, one] : all) {
    if (one.a == one.b) continue;
    one.key = key;
    different.push_back(std::move(one));
  }
  return different;
}

Comparison compareRuns(const RunStore& a, const RunStore& b) {
  Comparison comparison;
  comparison.settings = compareSettings({a.configText(), a.folder()}, {b.configText(), b.folder()});
  for (const std::string& metric : a.metricNames()) {
    const Series* left = a.series(metric);
    const Series* right = b.series(metric);
    if (left->axis() == Axis::Time) continue;
    if (!right) {
      comparison.onlyInA.push_back(metric);
      continue;
    }
    const MetricDifference difference = compareMetric(metric, *left, *right);
    if (difference.commonSteps > 0) comparison.metrics.push_back(difference);
  }
  for (const std::string& metric : b.metricNames())
    if (!a.series(metric) && b.series(metric)->axis() == Axis::Step) comparison.onlyInB.push_back(metric);
  comparison.firstLossDifference = firstDifference(a.series("train/loss"), b.series("train/loss"));
  return comparison;
}

}  // namespace roadtune::runs
