// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_json.h"

#include "core/base/json_text.h"
#include "core/protocol/event.h"

#include <nlohmann/json.hpp>

namespace roadtune::runs {

namespace {

using nlohmann::json;
using protocol::number;

json optional(const std::optional<double>& value) { return value ? number(*value) : json(); }
json time(double seconds) { return seconds > 0 ? json(seconds) : json(); }

std::string text(const json& value, int indent = 2) { return jsonText(value, indent) + "\n"; }

json entryJson(const RunEntry& run) {
  return {{"path", run.path.string()},
          {"id", run.id},
          {"name", run.name},
          {"state", name(run.state)},
          {"paused", run.paused},
          {"reason", run.reason},
          {"foreign", run.foreign},
          {"model", run.model},
          {"method", run.method},
          {"started", time(run.started)},
          {"updated", time(run.updated)},
          {"as_of", run.asOf ? time(*run.asOf) : json()},
          {"step", run.step},
          {"total_steps", run.totalSteps},
          {"loss", optional(run.loss)},
          {"eval_loss", optional(run.evalLoss)},
          {"samples_per_second", optional(run.samplesPerSecond)},
          {"tokens_per_second", optional(run.tokensPerSecond)},
          {"total_params", run.totalParams},
          {"trainable_params", run.trainableParams},
          {"world_size", run.worldSize}};
}

json anatomyJson(const StepAnatomy& anatomy) {
  if (anatomy.steps == 0) return nullptr;
  return {{"step", anatomy.step},
          {"wait", optional(anatomy.wait)},
          {"read", optional(anatomy.read)},
          {"decode", optional(anatomy.decode)},
          {"tokenise", optional(anatomy.tokenise)},
          {"copy", optional(anatomy.copy)},
          {"forward", optional(anatomy.forward)},
          {"backward", optional(anatomy.backward)},
          {"comm", optional(anatomy.comm)},
          {"optimizer", optional(anatomy.optimizer)},
          {"other", optional(anatomy.other)},
          {"steps", anatomy.steps}};
}

json metricJson(const Series& series) {
  const Column all = series.summarize(0, series.size());
  std::size_t superseded = 0;
  for (const auto& part : series.superseded()) superseded += part.points.size();
  json result = {
      {"points", series.size()},     {"min", number(all.min)},   {"max", number(all.max)}, {"mean", number(all.mean)},
      {"non_finite", all.nonFinite}, {"superseded", superseded}, {"first", nullptr},       {"last", nullptr},
      {"last_step", nullptr}};
  if (series.empty()) return result;
  result["first"] = number(series.at(0).value);
  result["last"] = number(series.last().value);
  result["last_step"] = series.last().step;
  return result;
}

json processJson(const ProcessInfo& process) {
  return {{"rank", process.rank},
          {"node", process.node},
          {"local_rank", process.localRank},
          {"host", process.host},
          {"device", process.device},
          {"pid", process.pid},
          {"state", process.state},
          {"exit_code", process.exitCode ? json(*process.exitCode) : json()},
          {"signal", process.signal ? json(*process.signal) : json()},
          {"step", process.step},
          {"last_event", time(process.lastEvent)}};
}

json endJson(const EndInfo& end) {
  return {{"reason", end.reason},
          {"exit_code", end.exitCode},
          {"message", end.message},
          {"time", time(end.time)},
          {"train_runtime", optional(end.trainRuntime)},
          {"train_samples_per_second", optional(end.trainSamplesPerSecond)},
          {"train_steps_per_second", optional(end.trainStepsPerSecond)},
          {"train_loss", optional(end.trainLoss)},
          {"epoch", optional(end.epoch)}};
}

const char* severityName(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "info";
}

json listsJson(const RunStore& store) {
  json result = {{"phases", json::array()},
                 {"processes", json::array()},
                 {"checkpoints", json::array()},
                 {"notices", json::array()}};
  for (const Phase& phase : store.phases())
    result["phases"].push_back(
        {{"name", phase.name}, {"begin", time(phase.begin)}, {"end", optional(phase.end)}, {"step", phase.step}});
  for (const ProcessInfo& process : store.processes()) result["processes"].push_back(processJson(process));
  for (const CheckpointInfo& one : store.checkpoints())
    result["checkpoints"].push_back({{"step", one.step},
                                     {"path", one.path},
                                     {"place", one.place},
                                     {"time", time(one.time)},
                                     {"seconds", one.seconds},
                                     {"bytes", one.bytes},
                                     {"on_disk", one.onDisk},
                                     {"removed", one.removed},
                                     {"complete", one.complete}});
  for (const Notice& notice : store.notices())
    result["notices"].push_back({{"severity", severityName(notice.severity)},
                                 {"time", time(notice.time)},
                                 {"step", notice.step},
                                 {"rank", notice.rank},
                                 {"message", notice.message},
                                 {"where", notice.where},
                                 {"hint", notice.hint}});
  return result;
}

json storeJson(const RunStore& store) {
  json result = listsJson(store);
  const RunProgress progress = store.progress();
  result["path"] = fs::absolute(store.folder()).lexically_normal().string();
  result["id"] = store.id();
  result["name"] = store.displayName();
  result["state"] = name(store.state());
  result["as_of"] = store.asOf() ? time(*store.asOf()) : json();
  result["foreign"] = store.foreign();
  result["step"] = progress.step;
  result["total_steps"] = progress.totalSteps;
  result["epoch"] = number(progress.epoch);
  result["seconds_per_step"] = optional(progress.secondsPerStep);
  result["eta_seconds"] = optional(progress.etaSeconds);
  result["elapsed_seconds"] = progress.elapsedSeconds;
  result["anatomy"] = anatomyJson(store.anatomy());
  result["metrics"] = json::object();
  for (const std::string& metric : store.metricNames()) result["metrics"][metric] = metricJson(*store.series(metric));
  result["end"] = store.end() ? endJson(*store.end()) : json();
  result["receipt"] = nullptr;
  if (const ReceiptInfo* receipt = store.receipt())
    result["receipt"] = {{"ok", receipt->ok}, {"updated", receipt->updated}, {"mismatch", receipt->mismatches}};
  const StartInfo* start = store.start();
  result["started"] = start ? time(start->time) : json();
  result["host"] = start ? json(start->host) : json();
  result["device"] = start ? json(start->device) : json();
  result["version"] = start ? json(start->programVersion) : json();
  result["world_size"] = start ? json(start->worldSize) : json();
  result["total_params"] = start ? json(start->totalParams) : json();
  result["trainable_params"] = start ? json(start->trainableParams) : json();
  return result;
}

}  // namespace

std::string toJson(const std::vector<RunEntry>& runs) {
  json list = json::array();
  for (const RunEntry& run : runs) list.push_back(entryJson(run));
  return text(list);
}

std::string toJson(const RunStore& store) { return text(storeJson(store)); }

std::string toJsonWithSeries(const RunStore& store) {
  json result = storeJson(store);
  result["config"] = store.configText();
  result["series"] = json::object();
  for (const std::string& metric : store.metricNames()) {
    const Series& series = *store.series(metric);
    json values = json::array();
    for (const double value : series.values()) values.push_back(number(value));
    result["series"][metric] = {{"axis", series.axis() == Axis::Step ? "step" : "time"},
                                {"steps", series.steps()},
                                {"times", series.times()},
                                {"values", std::move(values)}};
  }
  return text(result, -1);
}

std::string toJson(const RunStore& a, const RunStore& b, const Comparison& comparison) {
  json result = {{"a", {{"path", a.folder().string()}, {"name", a.displayName()}, {"state", name(a.state())}}},
                 {"b", {{"path", b.folder().string()}, {"name", b.displayName()}, {"state", name(b.state())}}},
                 {"settings", json::array()},
                 {"metrics", json::array()},
                 {"only_in_a", comparison.onlyInA},
                 {"only_in_b", comparison.onlyInB},
                 {"first_loss_difference", nullptr}};
  if (comparison.firstLossDifference) result["first_loss_difference"] = *comparison.firstLossDifference;
  for (const SettingDifference& one : comparison.settings)
    result["settings"].push_back(
        {{"key", one.key}, {"a", one.a ? json(*one.a) : json()}, {"b", one.b ? json(*one.b) : json()}});
  for (const MetricDifference& one : comparison.metrics)
    result["metrics"].push_back({{"metric", one.metric},
                                 {"step", one.step},
                                 {"a", number(one.a)},
                                 {"b", number(one.b)},
                                 {"best_a", number(one.bestA)},
                                 {"best_b", number(one.bestB)},
                                 {"common_steps", one.commonSteps},
                                 {"mean_absolute_difference", number(one.meanAbsoluteDifference)}});
  return text(result);
}

std::string toJson(const RunStore& store, const Diagnosis& diagnosis) {
  json result = {{"path", store.folder().string()},
                 {"state", name(store.state())},
                 {"as_of", store.asOf() ? time(*store.asOf()) : json()},
                 {"steps", diagnosis.steps},
                 {"anatomy", anatomyJson(diagnosis.anatomy)},
                 {"verdicts", json::array()},
                 {"abstained", json::array()}};
  for (const Verdict& one : diagnosis.verdicts)
    result["verdicts"].push_back({{"id", one.id},
                                  {"level", name(one.level)},
                                  {"title", one.title},
                                  {"evidence", one.evidence},
                                  {"advice", one.advice},
                                  {"gain", optional(one.gain)}});
  for (const Abstention& one : diagnosis.abstained)
    result["abstained"].push_back({{"id", one.id}, {"reason", one.reason}});
  return text(result);
}

}  // namespace roadtune::runs
