// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/scaling.h"

#include "core/base/json_text.h"
#include "core/base/units.h"
#include "core/protocol/event_reader.h"
#include "core/protocol/run_layout.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace roadtune::runs {

namespace {

struct StepTimes {
  std::vector<double> seconds;
  double samples = 0, tokens = 0, all = 0, comm = 0;

  void add(const protocol::FlatEvent& event) {
    const double took = event.members.numberOr("step_s", 0);
    if (took <= 0) return;
    seconds.push_back(took);
    all += took;
    samples += event.members.numberOr("samples", 0);
    tokens += event.members.numberOr("tokens", 0);
    protocol::FlatObject anatomy;
    const auto* field = event.members.find("anatomy");
    if (field && field->kind == protocol::FlatField::Kind::Object && anatomy.parse(field->raw))
      comm += anatomy.numberOr("comm", 0);
  }

  double quantile(double share) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[std::min(seconds.size() - 1, static_cast<std::size_t>(share * static_cast<double>(seconds.size())))];
  }
};

}  // namespace

Result<ScalePoint> measureScale(const fs::path& run, std::int64_t warmup, std::int64_t steps) {
  StepTimes times;
  ScalePoint point{.run = run.string()};
  protocol::EventReader reader(protocol::RunLayout(run).rankEvents(0));
  ROADTUNE_CHECK(reader.pollFlat([&](const protocol::FlatEvent& event) {
    if (event.kind == "hello") point.ranks = static_cast<int>(event.members.integerOr("world_size", point.ranks));
    if (event.kind == "step" && event.step > warmup && event.step <= warmup + steps) times.add(event);
  }));
  if (times.seconds.empty())
    return failed(fmt::format("made no step beyond the first {}", warmup), run.string(), "more --steps");
  point.steps = static_cast<std::int64_t>(times.seconds.size());
  point.samplesPerSecond = times.samples / times.all;
  point.tokensPerSecond = times.tokens / times.all;
  point.commShare = times.comm / times.all;
  point.secondsPerStep = times.quantile(0.5);
  point.slowStep = times.quantile(0.9);
  return point;
}

void compareWithFirst(std::vector<ScalePoint>& points) {
  if (points.empty()) return;
  const ScalePoint first = points.front();
  for (auto& point : points) {
    point.speedup = first.samplesPerSecond > 0 ? point.samplesPerSecond / first.samplesPerSecond : 0;
    point.efficiency = point.speedup * first.nodes / point.nodes;
  }
}

std::string scaleTable(const std::vector<ScalePoint>& points) {
  std::string text = fmt::format("{:>6} {:>6} {:>12} {:>12} {:>10} {:>10} {:>7} {:>9} {:>11}\n", "NODES", "RANKS",
                                 "SAMPLES/S", "TOKENS/S", "STEP", "90 %", "COMM", "SPEED-UP", "OF LINEAR");
  for (const auto& point : points)
    text += fmt::format("{:>6} {:>6} {:>12} {:>12} {:>10} {:>10} {:>6.1f}% {:>8.2f}x {:>10.1f}%\n", point.nodes,
                        point.ranks, formatNumber(point.samplesPerSecond), formatNumber(point.tokensPerSecond),
                        formatDuration(point.secondsPerStep), formatDuration(point.slowStep), point.commShare * 100,
                        point.speedup, point.efficiency * 100);
  return text;
}

std::string scaleJson(const std::vector<ScalePoint>& points) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& point : points)
    list.push_back({{"nodes", point.nodes},
                    {"ranks", point.ranks},
                    {"steps", point.steps},
                    {"samples_per_second", point.samplesPerSecond},
                    {"tokens_per_second", point.tokensPerSecond},
                    {"seconds_per_step", point.secondsPerStep},
                    {"seconds_per_step_p90", point.slowStep},
                    {"comm_share", point.commShare},
                    {"speedup", point.speedup},
                    {"efficiency", point.efficiency},
                    {"run", point.run}});
  return jsonText(nlohmann::json{{"points", list}}) + "\n";
}

}  // namespace roadtune::runs
