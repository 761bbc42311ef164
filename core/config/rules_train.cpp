// SPDX-License-Identifier: GPL-3.0-or-later
// How long, how fast, and when to look.
#include "core/base/text.h"
#include "core/config/eval_metrics.h"
#include "core/config/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace roadtune::config {
namespace {

void checkSchedulerValue(Draft& draft, const std::string& key, const Value& value) {
  static const std::vector<std::string> kShapes = {"linear", "cosine", "1-sqrt"};
  if (key != "warmup_type" && key != "decay_type") {
    if (value.isText())
      draft.report("lr_scheduler_kwargs", fmt::format("{} takes a number, not '{}'", key, value.text()), {});
  } else if (std::find(kShapes.begin(), kShapes.end(), value.text()) == kShapes.end()) {
    draft.report("lr_scheduler_kwargs", fmt::format("{} is not one of its shapes", key), join(kShapes, ", "));
  }
}

// What the reference does not begin without.
void checkNeededOptions(Draft& draft, const std::string& type) {
  const Value options = draft.view().value("lr_scheduler_kwargs");
  const int least = (options.find("min_lr") ? 1 : 0) + (options.find("min_lr_rate") ? 1 : 0);
  if (type.ends_with("_with_min_lr") && least != 1)
    draft.report("lr_scheduler_kwargs", fmt::format("{} needs one of min_lr and min_lr_rate", type),
                 "{min_lr_rate: 0.1}");
  if (type == "warmup_stable_decay" && !options.find("num_decay_steps"))
    draft.report("lr_scheduler_kwargs", "warmup_stable_decay needs num_decay_steps", "{num_decay_steps: 100}");
}

void checkEndRate(Draft& draft, const std::string& type) {
  const Value options = draft.view().value("lr_scheduler_kwargs");
  const Value* given = options.find("lr_end");
  if (type != "polynomial" || (given && given->isText())) return;
  const double end = given ? given->number() : 1e-7, rate = draft.view().number("learning_rate");
  if (!(end < rate))
    draft.report("lr_scheduler_kwargs", fmt::format("lr_end, {:g}, must be below the learning rate of {:g}", end, rate),
                 fmt::format("{{lr_end: {:g}}}", rate / 100));
}

void checkSchedulerOptions(Draft& draft) {
  static const std::map<std::string, std::vector<std::string>> kKnown = {
      {"linear", {}},
      {"constant", {}},
      {"constant_with_warmup", {}},
      {"cosine", {"num_cycles"}},
      {"cosine_with_restarts", {"num_cycles"}},
      {"polynomial", {"power", "lr_end"}},
      {"inverse_sqrt", {"timescale"}},
      {"cosine_with_min_lr", {"num_cycles", "min_lr", "min_lr_rate"}},
      {"cosine_warmup_with_min_lr", {"num_cycles", "min_lr", "min_lr_rate", "warmup_lr_rate"}},
      {"warmup_stable_decay",
       {"num_decay_steps", "num_stable_steps", "min_lr_ratio", "min_lr_rate", "num_cycles", "warmup_type",
        "decay_type"}}};
  const std::string type = draft.view().text("lr_scheduler_type");
  const auto& known = kKnown.at(type);
  for (const auto& [key, value] : draft.view().value("lr_scheduler_kwargs").map()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) {
      checkSchedulerValue(draft, key, value);
      continue;
    }
    draft.report("lr_scheduler_kwargs", fmt::format("{} has no '{}'", type, key),
                 known.empty() ? "remove it" : join(known, ", "));
  }
  checkNeededOptions(draft, type);
  checkEndRate(draft, type);
}

// Half a step is a mistake; half of all steps is not.
void checkStepCounts(Draft& draft) {
  for (const char* name : {"logging_steps", "eval_steps", "save_steps", "warmup_steps"}) {
    const double value = draft.view().number(name);
    if (value > 1 && value != std::floor(value))
      draft.report(name, fmt::format("{:g} is neither whole nor a share below 1", value),
                   fmt::format("{}", std::llround(value)));
  }
}

void checkBestModel(Draft& draft) {
  const RunConfig& run = draft.view();
  const std::string evaluates = run.text("eval_strategy"), saves = run.text("save_strategy");
  if (saves == "best" && !run.has("metric_for_best_model")) draft.imply("metric_for_best_model", "loss");
  if (saves == "best" && evaluates == "no")
    draft.report("save_strategy", "best needs evaluations", "eval_strategy: steps");
  if (run.integer("early_stopping_patience") > 0 && evaluates == "no")
    draft.report("early_stopping_patience", "needs evaluations", "eval_strategy: steps");
  if (!run.flag("load_best_model_at_end") || saves == "best") return;
  if (evaluates != saves || evaluates == "no")
    return draft.report("load_best_model_at_end",
                        fmt::format("needs a checkpoint at each evaluation: eval_strategy is {}, save_strategy is {}",
                                    evaluates, saves),
                        "the same strategy for both");
  if (evaluates != "steps") return;
  const double evaluation = run.has("eval_steps") ? run.number("eval_steps") : run.number("logging_steps");
  const double ratio = run.number("save_steps") / evaluation;
  if (std::abs(ratio - std::round(ratio)) > 1e-9 || ratio < 1)
    draft.report(
        "load_best_model_at_end",
        fmt::format("save_steps ({:g}) must be a multiple of eval_steps ({:g})", run.number("save_steps"), evaluation),
        fmt::format("save_steps: {:g}", evaluation * std::max(1.0, std::round(ratio))));
}

void settleBestMetric(Draft& draft) {
  const RunConfig& run = draft.view();
  const bool wanted = run.flag("load_best_model_at_end") || run.integer("early_stopping_patience") > 0;
  if (wanted && !run.has("metric_for_best_model")) draft.imply("metric_for_best_model", "loss");
  if (!run.has("metric_for_best_model")) return;
  const auto metric = evalMetric(run.text("metric_for_best_model"));
  if (!metric) {
    const std::string near = nearestWord(run.text("metric_for_best_model"), evalMetrics());
    return draft.report("metric_for_best_model", "evaluation has no metric of that name",
                        near.empty() ? "one of " + join(evalMetrics(), ", ") : near);
  }
  if (*metric != "loss" && (run.integer("num_probe_samples") == 0 || run.flag("prediction_loss_only")))
    draft.report("metric_for_best_model", *metric + " comes from predictions for probe samples, and there are none",
                 run.flag("prediction_loss_only") ? "prediction_loss_only: false" : "num_probe_samples: 100");
  if (!run.has("greater_is_better")) draft.imply("greater_is_better", moreIsBetter(*metric));
}

}  // namespace

void settleSchedule(Draft& draft) {
  const RunConfig& run = draft.view();
  if (run.number("warmup_steps") > 0 && run.number("warmup_ratio") > 0)
    draft.report(run.isSet("warmup_ratio") ? "warmup_ratio" : "warmup_steps",
                 "warmup_steps and warmup_ratio both set the warm-up", "keep one of them");
  if (run.number("warmup_steps") > 0 && run.text("lr_scheduler_type") == "constant")
    draft.report("warmup_steps", "has no effect with lr_scheduler_type constant",
                 "lr_scheduler_type: constant_with_warmup", Severity::Warning);
  if (run.integer("max_steps") > 0 && run.isSet("num_train_epochs"))
    draft.report("num_train_epochs", fmt::format("has no effect: max_steps is {}", run.integer("max_steps")), "",
                 Severity::Warning);
  if (run.integer("max_steps") == 0)
    draft.report("max_steps", "a run of 0 steps trains nothing", "-1 to count in epochs");
  checkSchedulerOptions(draft);
  checkStepCounts(draft);
}

void settleEvaluation(Draft& draft) {
  const RunConfig& run = draft.view();
  const bool wanted = run.text("eval_strategy") != "no" || run.flag("eval_on_start");
  const bool holdsOut = run.number("eval_fraction") > 0;
  if (holdsOut && run.has("eval_data"))
    draft.report("eval_fraction", "eval_data says already what to evaluate on", "keep one of them");
  if (holdsOut && !wanted)
    draft.report("eval_fraction", "what is held out is never used: eval_strategy is no", "eval_strategy: steps",
                 Severity::Warning);
  if (wanted && !holdsOut && !run.has("eval_data") && !draft.isBroken("eval_data"))
    draft.report(run.text("eval_strategy") != "no" ? "eval_strategy" : "eval_on_start",
                 "there is no eval_data to evaluate on", "eval_data: ..., eval_fraction: 0.1, or eval_strategy: no");
  if (!wanted && run.has("eval_data") && !draft.isBroken("eval_strategy"))
    draft.report("eval_data", "is never used: eval_strategy is no", "eval_strategy: steps", Severity::Warning);
  checkBestModel(draft);
  settleBestMetric(draft);
}

}  // namespace roadtune::config
