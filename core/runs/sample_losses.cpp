// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/sample_losses.h"

#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/config/readable.h"
#include "core/protocol/manifest.h"
#include "core/runs/run_catalogue.h"
#include "core/runs/run_state.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace roadtune::runs {
namespace {

using nlohmann::json;

double lossFrom(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

// Leaves out what a later attempt went through again.
void forgetAfter(std::int64_t step, std::vector<SampleLossEntry>& losses) {
  std::erase_if(losses, [&](const SampleLossEntry& one) { return one.step > step; });
}

void readLine(std::string_view line, std::vector<SampleLossEntry>& losses) {
  const json entry = json::parse(line, nullptr, false);
  if (!entry.is_object()) return;
  if (const auto resumed = entry.find("resumed_from"); resumed != entry.end() && resumed->is_number_integer())
    return forgetAfter(resumed->get<std::int64_t>(), losses);
  const auto step = entry.find("step"), sample = entry.find("sample"), loss = entry.find("loss");
  if (step == entry.end() || !step->is_number_integer() || sample == entry.end() || !sample->is_string() ||
      loss == entry.end())
    return;
  losses.push_back({step->get<std::int64_t>(), entry.value("epoch", 0.0), sample->get<std::string>(), lossFrom(*loss),
                    entry.value("tokens", std::int64_t{0})});
}

Status readLedger(const fs::path& path, std::vector<SampleLossEntry>& into) {
  ROADTUNE_TRY(const MappedFile file, MappedFile::open(path, MappedFile::Access::Sequential));
  std::vector<SampleLossEntry> losses;
  const std::string_view all = file.text();
  for (std::size_t at = 0; at < all.size();) {
    const auto end = all.find('\n', at);
    if (end == std::string_view::npos) break;  // still being written
    if (end > at) readLine(all.substr(at, end - at), losses);
    at = end + 1;
  }
  into.insert(into.end(), std::make_move_iterator(losses.begin()), std::make_move_iterator(losses.end()));
  return {};
}

double rankOf(double loss) { return std::isfinite(loss) ? loss : std::numeric_limits<double>::infinity(); }

}  // namespace

Result<std::vector<SampleLossEntry>> readSampleLosses(const protocol::RunLayout& layout) {
  std::vector<SampleLossEntry> losses;
  for (const int rank : layout.ranksWithLedgers()) ROADTUNE_CHECK(readLedger(layout.rankLedger(rank), losses));
  std::stable_sort(losses.begin(), losses.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  return losses;
}

NoLossesReason whyNoLosses(const protocol::RunLayout& layout) {
  const auto document = config::Document::load(layout.config());
  if (!document.ok() || !config::readableConfig(document.value()).flag("record_sample_losses")) return {};
  NoLossesReason reason;
  if (const auto manifest = protocol::readManifest(layout.manifest()); manifest.ok())
    for (const auto& node : manifest.value().nodes)
      if (!node.address.empty()) reason.machines.push_back(node.address);
  const auto run = describeRun(layout.root());
  const bool begins = run.ok() && run.value().step == 0 && !isBroken(run.value().state);
  if (begins) reason.why = NoLosses::NotYet;
  if (!reason.machines.empty()) reason.why = NoLosses::Elsewhere;
  return reason;
}

std::vector<SampleSummary> summarizeSamples(const std::vector<SampleLossEntry>& losses) {
  std::vector<SampleSummary> samples;
  std::unordered_map<std::string_view, std::size_t> known;
  for (const auto& one : losses) {
    const auto [place, fresh] = known.try_emplace(one.sample, samples.size());
    if (fresh) samples.push_back({.sample = one.sample, .first = one.loss, .worst = one.loss, .worstStep = one.step});
    auto& summary = samples[place->second];
    ++summary.seen;
    summary.last = one.loss;
    summary.lastStep = one.step;
    summary.mean += one.loss;
    if (rankOf(one.loss) <= rankOf(summary.worst)) continue;
    summary.worst = one.loss;
    summary.worstStep = one.step;
  }
  for (auto& summary : samples) summary.mean /= static_cast<double>(summary.seen);
  std::stable_sort(samples.begin(), samples.end(),
                   [](const auto& a, const auto& b) { return rankOf(a.last) > rankOf(b.last); });
  return samples;
}

}  // namespace roadtune::runs
