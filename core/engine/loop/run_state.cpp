// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/run_state.h"

#include "core/base/json_text.h"

namespace roadtune::engine {

using nlohmann::json;

std::string trainerStateText(const RunState& state, const TrainerFacts& facts) {
  const auto& best = state.best;
  json out = {{"best_global_step", best.best ? json(best.bestStep) : json(nullptr)},
              {"best_metric", best.best ? json(*best.best) : json(nullptr)},
              {"best_model_checkpoint", state.bestCheckpoint.empty() ? json(nullptr) : json(state.bestCheckpoint)},
              {"epoch", state.epoch},
              {"eval_steps", facts.evalSteps},
              {"global_step", state.globalStep},
              {"is_hyper_param_search", false},
              {"is_local_process_zero", true},
              {"is_world_process_zero", true},
              {"log_history", state.history},
              {"logging_steps", facts.loggingSteps},
              {"max_steps", facts.maxSteps},
              {"num_input_tokens_seen", state.tokensSeen},
              {"num_train_epochs", facts.epochs},
              {"save_steps", facts.saveSteps},
              {"stateful_callbacks", json::object()},
              {"total_flos", state.flops},
              {"train_batch_size", facts.trainBatch},
              {"trial_name", nullptr},
              {"trial_params", nullptr}};
  return jsonText(out) + "\n";
}

json toJson(const RunState& s) {
  return {{"format", 1},
          {"global_step", s.globalStep},
          {"epoch_index", s.epochIndex},
          {"step_in_epoch", s.stepInEpoch},
          {"epoch", s.epoch},
          {"loss_since_log", s.lossSinceLog},
          {"fed_since_log", s.fedSinceLog},
          {"last_logged_step", s.lastLoggedStep},
          {"total_loss", s.totalLoss},
          {"tokens_seen", s.tokensSeen},
          {"flops", s.flops},
          {"seconds_before", s.secondsBefore},
          {"non_finite_in_row", s.nonFiniteInRow},
          {"rate_edit", s.rateEdit ? json{{"rate", s.rateEdit->rate}, {"configured", s.rateEdit->configured}} : json()},
          {"best_value", s.best.best ? json(*s.best.best) : json(nullptr)},
          {"best_step", s.best.bestStep},
          {"evaluations_waited", s.best.waited},
          {"best_checkpoint", s.bestCheckpoint},
          {"evaluation_owed", s.evaluationOwed},
          {"samples_per_step", s.samplesPerStep},
          {"history", s.history}};
}

Result<RunState> runStateFromJson(const json& j, const std::string& where) {
  if (!j.is_object() || j.value("format", 0) != 1)
    return badInput("the resume state is of an unknown format", where, "use the release that wrote it");
  try {
    RunState s;
    s.globalStep = j.at("global_step").get<std::int64_t>();
    s.epochIndex = j.at("epoch_index").get<std::int64_t>();
    s.stepInEpoch = j.at("step_in_epoch").get<std::int64_t>();
    s.epoch = j.at("epoch").get<double>();
    s.lossSinceLog = j.at("loss_since_log").get<double>();
    s.fedSinceLog = j.value("fed_since_log", s.lossSinceLog != 0);
    s.lastLoggedStep = j.at("last_logged_step").get<std::int64_t>();
    s.totalLoss = j.at("total_loss").get<double>();
    s.tokensSeen = j.at("tokens_seen").get<std::int64_t>();
    s.flops = j.at("flops").get<double>();
    s.secondsBefore = j.at("seconds_before").get<double>();
    s.nonFiniteInRow = j.at("non_finite_in_row").get<std::int64_t>();
    if (const auto edit = j.value("rate_edit", json()); !edit.is_null())
      s.rateEdit = {edit.at("rate").get<double>(), edit.at("configured").get<double>()};
    if (!j.at("best_value").is_null()) s.best.best = j.at("best_value").get<double>();
    s.best.bestStep = j.at("best_step").get<std::int64_t>();
    s.best.waited = j.at("evaluations_waited").get<std::int64_t>();
    s.bestCheckpoint = j.at("best_checkpoint").get<std::string>();
    s.evaluationOwed = j.value("evaluation_owed", false);
    s.samplesPerStep = j.value("samples_per_step", std::int64_t{0});
    s.history = j.at("history");
    return s;
  } catch (const json::exception& error) {
    return badInput(std::string("the resume state is damaged: ") + error.what(), where);
  }
}

}  // namespace roadtune::engine
