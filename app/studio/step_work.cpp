// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/step_work.h"

#include "core/protocol/run_layout.h"
#include "core/runs/sample_losses.h"
#include "core/runs/shown_metrics.h"
#include "widgets/common/number_text.h"
#include "widgets/common/told_words.h"
#include "widgets/plot/curve_data.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <map>

namespace roadtune::studio {
namespace {

using nlohmann::json;

using widgets::ValueKind;

struct StepText {
  Q_DECLARE_TR_FUNCTIONS(StepFacts)
};

ValueKind kindOf(const std::string& metric) {
  if (metric.find("bytes") != std::string::npos) return ValueKind::Bytes;
  if (metric.find("per_second") != std::string::npos) return ValueKind::PerSecond;
  if (metric.find("seconds") != std::string::npos || metric.starts_with("anatomy/")) return ValueKind::Seconds;
  return metric == "train/mfu" ? ValueKind::Percent : ValueKind::Plain;
}

// A unit stands once. Where nothing was measured in the step itself, it says which one the number is from.
std::pair<QString, QString> valueOf(const runs::ShownMetric& metric, const runs::Point& point, std::int64_t step) {
  const ValueKind kind = kindOf(metric.name);
  QString name = widgets::quantityWords(metric.title);
  if (kind != ValueKind::Plain && kind != ValueKind::PerSecond) name = name.section(QStringLiteral(", "), 0, 0);
  if (point.step != step) name = StepText::tr("%1 (step %2)").arg(name, widgets::countText(point.step));
  const QString value = widgets::valueText(point.value, kind);
  return {name, kind == ValueKind::PerSecond ? value.section(QLatin1Char(' '), 0, 0) : value};  // its name has the unit
}

// The point of a series at the step, or at the last one before it.
std::optional<runs::Point> pointAt(const runs::Series& series, std::int64_t step) {
  if (series.empty() || series.axis() != runs::Axis::Step) return std::nullopt;
  const std::size_t at = series.lowerBound(runs::Axis::Step, double(step));
  if (at < series.size() && series.at(at).step == step) return series.at(at);
  return at > 0 ? std::optional(series.at(at - 1)) : std::nullopt;
}

// Lines of provenance/rank-NNN.jsonl that are about the step; a resumed run's last word counts.
std::vector<std::string> provenanceOf(const protocol::RunLayout& layout, std::int64_t step) {
  std::map<std::string, std::vector<std::string>> byRank;
  std::error_code ignored;
  const std::string wanted = "\"step\":" + std::to_string(step);
  for (const auto& entry : std::filesystem::directory_iterator(layout.provenance(), ignored)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.find(wanted) == std::string::npos) continue;
      const json object = json::parse(line, nullptr, false);
      if (!object.is_object() || object.value("step", std::int64_t(-1)) != step) continue;
      byRank[entry.path().filename().string()] = object.value("samples", std::vector<std::string>());
    }
  }
  std::vector<std::string> all;
  for (const auto& [rank, samples] : byRank) all.insert(all.end(), samples.begin(), samples.end());
  return all;
}

constexpr std::uintmax_t kLogBytes = 8'000'000;  // of the end of each log
constexpr qsizetype kMostLines = 60;

// "step 57" as words of their own, in any case.
bool speaksOf(const std::string& line, const std::string& words) {
  for (std::size_t at = 0; (at = line.find(words, at)) != std::string::npos; ++at) {
    const std::size_t end = at + words.size();
    const bool whole = (end == line.size() || std::isdigit(static_cast<unsigned char>(line[end])) == 0) &&
                       (at == 0 || std::isalpha(static_cast<unsigned char>(line[at - 1])) == 0);
    if (whole) return true;
  }
  return false;
}

QStringList logLinesOf(const protocol::RunLayout& layout, const std::vector<int>& ranks, std::int64_t step) {
  QStringList lines;
  const std::string words = "step " + std::to_string(step);
  const auto processes = std::ranges::count_if(ranks, [](int rank) { return rank >= 0; });
  for (const int rank : ranks) {
    if (rank < 0) continue;  // an agent does no steps
    const auto path = layout.rankLog(rank);
    std::error_code ignored;
    const auto size = std::filesystem::file_size(path, ignored);
    std::ifstream file(path);
    if (!ignored && size > kLogBytes) file.seekg(static_cast<std::streamoff>(size - kLogBytes));
    for (std::string line; lines.size() < kMostLines && std::getline(file, line);) {
      if (!speaksOf(line, words)) continue;
      const QString text = QString::fromStdString(line).trimmed();
      lines << (processes > 1 ? StepText::tr("Process %1").arg(rank + 1) + QStringLiteral(": ") + text : text);
    }
  }
  return lines;
}

}  // namespace

widgets::StepFactsPtr stepFactsOf(const runs::RunStore& store, std::int64_t step) {
  auto facts = std::make_shared<widgets::StepFacts>();
  facts->folder = QString::fromStdString(store.folder().string());
  facts->step = step;
  const bool alone = runs::isOneCpuProcess(store.start());
  for (const runs::ShownMetric& metric : runs::shownMetrics(store.metricNames())) {
    if (alone && (metric.name == "anatomy/copy" || metric.name == "anatomy/comm")) continue;
    const runs::Series* series = store.series(metric.name);
    const auto point = series ? pointAt(*series, step) : std::nullopt;
    if (point) facts->values.push_back(valueOf(metric, *point, step));
  }
  const protocol::RunLayout layout(store.folder());
  std::map<std::string, double> losses;
  if (const auto ledger = runs::readSampleLosses(layout); ledger.ok()) {
    for (const auto& entry : ledger.value())
      if (entry.step == step) losses[entry.sample] = entry.loss;
  }
  for (const std::string& sample : provenanceOf(layout, step)) {
    const auto known = losses.find(sample);
    const auto loss = known == losses.end() ? std::nullopt : std::optional(known->second);
    facts->samples.emplace_back(QString::fromStdString(sample), loss);
  }
  facts->log = logLinesOf(layout, store.logRanks(), step);
  // The hardest first; what is not a number is harder than anything.
  const auto rank = [](const std::optional<double>& loss) {
    return !loss ? -1.0 : std::isfinite(*loss) ? *loss : HUGE_VAL;
  };
  std::stable_sort(facts->samples.begin(), facts->samples.end(),
                   [&](const auto& a, const auto& b) { return rank(a.second) > rank(b.second); });
  return facts;
}

}  // namespace roadtune::studio
