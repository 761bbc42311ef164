// SPDX-License-Identifier: GPL-3.0-or-later
// What the events of a rank mean.
#include "core/runs/run_store_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace roadtune::runs {

using protocol::FlatEvent;
using protocol::FlatField;
using protocol::FlatObject;

namespace {

constexpr std::size_t kRecentSteps = 64;
constexpr std::size_t kRecentAnatomy = 1000;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Names of series differ from the short keys of events; unknown keys keep theirs.
std::string trainMetric(std::string_view key) {
  static const std::map<std::string_view, const char*> kNames = {{"lr", "learning_rate"},
                                                                 {"samples_per_s", "samples_per_second"},
                                                                 {"tokens_per_s", "tokens_per_second"},
                                                                 {"step_s", "step_seconds"},
                                                                 {"mem_bytes", "memory_bytes"}};
  const auto found = kNames.find(key);
  return "train/" + std::string(found == kNames.end() ? key : found->second);
}

bool isEnvelope(std::string_view key) {
  return key == "v" || key == "seq" || key == "t" || key == "mono" || key == "rank" || key == "step" || key == "kind";
}

std::optional<double> known(const FlatObject& object, std::string_view key) {
  const FlatField* field = object.find(key);
  if (!field || !field->numeric) return {};
  return field->number;
}

std::vector<std::string> textsAt(const FlatObject& object, std::string_view key) {
  const FlatField* field = object.find(key);
  return field && field->kind == FlatField::Kind::Array ? protocol::textsOf(field->raw) : std::vector<std::string>();
}

}  // namespace

Series& RunFacts::seriesNamed(std::string_view name, Axis axis) {
  const auto found = series.find(name);
  if (found != series.end()) return found->second;
  return series.emplace(std::string(name), Series(axis)).first->second;
}

void RunFacts::touch(double time) {
  if (!(time > 0)) return;
  if (firstEvent == 0 || time < firstEvent) firstEvent = time;
  lastEvent = std::max(lastEvent, time);
}

void RunFacts::supersedeSteps(std::int64_t from) {
  for (auto& [name, one] : series)
    if (one.axis() == Axis::Step && !name.starts_with("rank/")) one.supersedeFrom(from);
  std::erase_if(checkpoints, [&](const CheckpointInfo& checkpoint) { return checkpoint.step >= from; });
}

void RunFacts::rankHello(int rank, const FlatEvent& event, double beforeThis) {
  const FlatObject& body = event.members;
  RankFacts& facts = ranks[rank];
  facts.end.reset();
  // The agent's file may have been read further than this one: what it says of a later moment stays.
  if (facts.processTime <= event.t) facts.process = {};
  facts.process.rank = rank;
  facts.process.node = static_cast<int>(body.integerOr("node", 0));
  facts.process.localRank = static_cast<int>(body.integerOr("local_rank", rank));
  facts.process.host = body.textOr("host");
  facts.process.device = body.textOr("device");
  if (facts.processTime <= event.t) {
    facts.process.pid = body.integerOr("pid", 0);
    facts.process.state = "started";
  }
  if (rank != 0) return;
  // A rank may say hello twice: at once, and again when it knows its model. Another process means another life.
  const bool newLife = !start || start->pid != body.integerOr("pid", 0) || start->host != facts.process.host;
  if (newLife && !phases.empty() && !phases.back().end) phases.back().end = std::min(beforeThis, event.t);
  if (newLife && start && beforeThis > 0) apartSeconds += std::max(0.0, event.t - beforeThis);
  StartInfo info;
  info.host = facts.process.host;
  info.device = facts.process.device;
  info.pid = body.integerOr("pid", 0);
  info.programVersion = body.textOr("version");
  info.configHash = body.textOr("config_hash");
  info.worldSize = static_cast<int>(body.integerOr("world_size", 1));
  info.totalSteps = body.integerOr("total_steps", 0);
  info.totalParams = body.integerOr("total_params", 0);
  info.trainableParams = body.integerOr("trainable_params", 0);
  info.time = start ? start->time : event.t;
  if (info.totalSteps > 0) totalSteps = info.totalSteps;
  if (newLife) proofs.clear();
  start = info;
  newAttempt = true;
  if (event.step > 0) supersedeSteps(event.step + 1);
  // Its first hello comes before it has read the checkpoint: until then it stands where the run stood before.
  seeking = info.totalSteps == 0 && event.step == 0 && step > 0;
  if (!seeking) epoch = epochAt(event.step);
}

// As the steps up to this one have told it.
double RunFacts::epochAt(std::int64_t atStep) const {
  const auto told = series.find("train/epoch");
  return atStep > 0 && told != series.end() && !told->second.empty() ? told->second.last().value : 0;
}

void RunFacts::beginPhase(const std::string& phase, double time, std::int64_t atStep) {
  if (!phases.empty() && !phases.back().end) phases.back().end = time;
  phases.push_back({phase, time, {}, atStep});
}

void RunFacts::rankAnatomy(int rank, const FlatEvent& event) {
  AnatomySample sample;
  sample.step = event.members.numberOr("step_s", kUnknown);
  sample.parts.fill(kUnknown);
  const FlatField* field = event.members.find("anatomy");
  FlatObject parts;
  const bool given = field && field->kind == FlatField::Kind::Object && parts.parse(field->raw);
  for (std::size_t i = 0; given && i < kAnatomyParts; ++i) {
    sample.parts[i] = parts.numberOr(kAnatomyNames[i], kUnknown);
    if (rank == 0 && !std::isnan(sample.parts[i]))
      seriesNamed(fmt::format("anatomy/{}", kAnatomyNames[i]), Axis::Step)
          .append({event.step, event.t, sample.parts[i]});
  }
  auto& samples = ranks[rank].anatomy;
  samples.push_back(sample);
  if (samples.size() > kRecentAnatomy) samples.pop_front();
  const bool several = rank > 0 || (start && start->worldSize > 1);
  if (!several) return;
  const std::string prefix = fmt::format("rank/{}/", rank);
  if (!std::isnan(sample.step))
    seriesNamed(prefix + "step_seconds", Axis::Step).append({event.step, event.t, sample.step});
  if (!std::isnan(sample.parts[0]))
    seriesNamed(prefix + "wait", Axis::Step).append({event.step, event.t, sample.parts[0]});
}

// A step that was there before: the run went back to a checkpoint. Evaluations and the rest follow the loss.
void RunFacts::beginStep(std::int64_t next) {
  const bool goesBack = !recentSteps.empty() && next <= recentSteps.back().first;
  if (std::exchange(newAttempt, false) || goesBack) recentSteps.clear();
  const auto loss = series.find("train/loss");
  if (loss != series.end() && !loss->second.empty() && next <= loss->second.last().step) supersedeSteps(next);
}

void RunFacts::rankStep(int rank, const FlatEvent& event) {
  RankFacts& facts = ranks[rank];
  if (rank == 0) beginStep(event.step);
  rankAnatomy(rank, event);
  if (rank != 0) return;
  for (const FlatField& field : event.members.fields()) {
    if (!field.numeric || isEnvelope(field.key) || field.key == "total_steps") continue;
    auto target = facts.fields.find(field.key);
    if (target == facts.fields.end())
      target = facts.fields.emplace(field.key, &seriesNamed(trainMetric(field.key), Axis::Step)).first;
    target->second->append({event.step, event.t, field.number});
  }
  totalSteps = std::max<std::int64_t>(event.members.integerOr("total_steps", totalSteps), 0);
  epoch = event.members.numberOr("epoch", epoch);
  recentSteps.emplace_back(event.step, event.t);
  if (recentSteps.size() > kRecentSteps) recentSteps.pop_front();
}

void RunFacts::rankEval(const FlatEvent& event) {
  for (const FlatField& field : event.members.fields()) {
    if (!field.numeric || isEnvelope(field.key)) continue;
    std::string key(field.key);
    if (key.starts_with("eval_")) key.erase(0, 5);
    seriesNamed("eval/" + key, Axis::Step).append({event.step, event.t, field.number});
  }
}

void RunFacts::addCheckpoint(const FlatEvent& event) {
  CheckpointInfo info;
  info.step = event.step;
  info.path = event.members.textOr("path");
  info.time = event.t;
  info.seconds = event.members.numberOr("seconds", 0);
  info.bytes = event.members.numberOr("bytes", 0);
  std::erase_if(checkpoints, [&](const CheckpointInfo& old) { return old.step == info.step; });
  const auto place = std::upper_bound(checkpoints.begin(), checkpoints.end(), info.step,
                                      [](std::int64_t wanted, const CheckpointInfo& one) { return wanted < one.step; });
  checkpoints.insert(place, info);
  for (const std::string& path : textsAt(event.members, "removed"))
    for (CheckpointInfo& old : checkpoints) old.toldRemoved |= old.path == path;
}

void RunFacts::rankProof(const FlatEvent& event) {
  ProofInfo proof{event.members.textOr("name"), false, event.t};
  proof.seconds = event.members.numberOr("seconds", 0);
  proof.sample = event.members.textOr("sample");
  for (const FlatField& field : event.members.fields()) {
    if (field.key == "ok") proof.ok = field.kind == FlatField::Kind::Flag && field.number == 1;
    if (field.numeric && !isEnvelope(field.key)) proof.numbers[std::string(field.key)] = field.number;
  }
  proofs.push_back(std::move(proof));
}

void RunFacts::rankBye(int rank, const FlatEvent& event) {
  const FlatObject& body = event.members;
  EndInfo end;
  end.reason = body.textOr("reason", "finished");
  end.exitCode = static_cast<int>(body.integerOr("exit_code", 0));
  end.message = body.textOr("message");
  end.time = event.t;
  const FlatField* field = body.find("summary");
  FlatObject summary;
  if (field && field->kind == FlatField::Kind::Object && summary.parse(field->raw)) {
    end.trainRuntime = known(summary, "train_runtime");
    end.trainSamplesPerSecond = known(summary, "train_samples_per_second");
    end.trainStepsPerSecond = known(summary, "train_steps_per_second");
    end.trainLoss = known(summary, "train_loss");
    end.epoch = known(summary, "epoch");
  }
  RankFacts& facts = ranks[rank];
  end.rank = rank;
  end.node = facts.process.node;
  end.consequence = isConsequence(end);
  facts.end = end;
  if (facts.processTime <= event.t) {
    facts.process.state = "exited";
    facts.process.exitCode = end.exitCode;
  }
  if (rank == 0 && !phases.empty() && !phases.back().end) phases.back().end = event.t;
}

void RunFacts::note(Severity severity, const FlatEvent& event) {
  const FlatObject& body = event.members;
  notices.push_back(
      {severity, event.t, event.step, event.rank, body.textOr("message"), body.textOr("where"), body.textOr("hint")});
}

void RunFacts::foldRank(int rank, const FlatEvent& event) {
  const double before = std::exchange(ranks[rank].spoke, event.t);
  touch(event.t);
  if (event.kind == "hello") {
    rankHello(rank, event, before);
  } else if (event.kind == "step") {
    rankStep(rank, event);
  } else if (event.kind == "metric") {
    const FlatField* value = event.members.find("value");
    const std::string metric = event.members.textOr("name");
    if (rank == 0 && value && value->numeric && !metric.empty())
      seriesNamed(metric, Axis::Step).append({event.step, event.t, value->number});
  } else if (event.kind == "warning" || event.kind == "error") {
    note(event.kind == "error" ? Severity::Error : Severity::Warning, event);
  } else if (event.kind == "bye") {
    rankBye(rank, event);
  } else if (rank == 0 && event.kind == "phase") {
    beginPhase(event.members.textOr("name"), event.t, event.step);
  } else if (rank == 0 && event.kind == "eval") {
    rankEval(event);
  } else if (rank == 0 && event.kind == "checkpoint") {
    addCheckpoint(event);
  } else if (rank == 0 && event.kind == "proof") {
    rankProof(event);
  } else if (rank == 0 && event.kind == "receipt") {
    const FlatField* ok = event.members.find("ok");
    receipt = ReceiptInfo{event.t, ok && ok->kind == FlatField::Kind::Flag && ok->number == 1,
                          textsAt(event.members, "updated"), textsAt(event.members, "mismatch")};
  }
  ProcessInfo& process = ranks[rank].process;
  process.rank = rank;
  process.lastEvent = event.t;
  process.step = event.step;
  if (rank != 0) return;
  if (event.step > 0) seeking = false;
  if (!seeking) step = event.step;
}

}  // namespace roadtune::runs
