// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_builder.h"

namespace roadtune::config {

FieldTable evaluationFields() {
  return {
      Make("eval_strategy", FieldType::Choice, "no", "When to evaluate.")
          .oneOf({"no", "steps", "epoch"})
          .words({{"false", "no"}, {"off", "no"}})
          .also({"evaluation_strategy"})
          .basic(),
      Make("eval_steps", FieldType::Number, {},
           "Steps between evaluations; below 1 a share of all steps; when not set as many as logging_steps.")
          .unset("as logged")
          .unit("steps")
          .above(0)
          .when("eval_strategy", {"steps"})
          .basic(),
      Make("eval_delay", FieldType::Number, 0.0, "No evaluation before this many steps or epochs.")
          .unit("steps or epochs")
          .atLeast(0)
          .when("eval_strategy", {"steps", "epoch"}),
      Make("eval_on_start", FieldType::Flag, false, "Evaluate before the first step too."),
      Make("per_device_eval_batch_size", FieldType::Integer, 8, "Samples per process in one pass of an evaluation.")
          .unit("samples")
          .range(1, 65536)
          .also({"eval_batch_size", "val_batch_size"}),
      Make("prediction_loss_only", FieldType::Flag, false, "Evaluate the loss alone, without predictions."),
      Make("max_new_tokens", FieldType::Integer, 256, "Longest prediction.").unit("tokens").range(1, 4096),
      Make("metric_for_best_model", FieldType::Text, {},
           "Which evaluation metric makes a model the best: loss, or AP, AP50, accuracy, malformed of the "
           "predictions for the probe samples.")
          .unset("loss")
          .also({"metric"}),
      Make("greater_is_better", FieldType::Flag, {}, "Is more of that metric better? When not set, not for a loss.")
          .unset("as the metric wants"),
      Make("load_best_model_at_end", FieldType::Flag, false, "End with the weights of the best evaluation."),
      Make("early_stopping_patience", FieldType::Integer, 0,
           "Evaluations without improvement before the run stops; 0 never.")
          .unit("evaluations")
          .atLeast(0),
      Make("early_stopping_threshold", FieldType::Number, 0.0, "An improvement must be larger than this.").atLeast(0),
  };
}

FieldTable outputFields() {
  return {
      Make("output_dir", FieldType::Path, {}, "Folder of the run: configuration, events, checkpoints.")
          .also({"output_folder", "run_dir"})
          .basic()
          .required(),
      Make("overwrite_output_dir", FieldType::Flag, false, "Start anew in a folder that already holds a run."),
      Make("run_name", FieldType::Text, {}, "Name of the run in lists and plots.")
          .unset("the folder's name")
          .also({"wandb_name", "wandb_run_id"}),
      Make("logging_strategy", FieldType::Choice, "steps", "When to log the training loss.")
          .oneOf({"no", "steps", "epoch"})
          .words({{"false", "no"}}),
      Make("logging_steps", FieldType::Number, 500.0,
           "Steps between logged values of trainer_state.json and TensorBoard; below 1 a share of all steps. Events "
           "keep every step.")
          .unit("steps")
          .above(0)
          .also({"log_every_n_steps", "log_frequency"})
          .basic(),
      Make("logging_first_step", FieldType::Flag, false, "Log the first step too."),
      Make("logging_nan_inf_filter", FieldType::Flag, true,
           "Leave non-finite losses out of the logged mean. Events keep them."),
      Make("report_to", FieldType::List, Value::texts({"tensorboard"}), "Trackers besides the run's own events.")
          .oneOf({"tensorboard", "none", "all"}),
      Make("save_strategy", FieldType::Choice, "steps", "When to write a checkpoint; one is always written at the end.")
          .oneOf({"no", "steps", "epoch", "best"})
          .words({{"false", "no"}, {"off", "no"}})
          .basic(),
      Make("save_steps", FieldType::Number, 500.0, "Steps between checkpoints; below 1 a share of all steps.")
          .unit("steps")
          .above(0)
          .also({"checkpoint_every"})
          .when("save_strategy", {"steps"})
          .basic(),
      Make("save_total_limit", FieldType::Integer, {},
           "Keep at most this many checkpoints; the last always stays, and the best where one is asked for: "
           "load_best_model_at_end, metric_for_best_model or save_strategy: best.")
          .unset("keep all")
          .unit("checkpoints")
          .atLeast(1)
          .basic(),
      Make("mirror_checkpoints_to", FieldType::Path, {},
           "Copy each complete checkpoint below this place, by a process that the training never waits for: "
           "s3://bucket/prefix, gs://bucket/prefix, a folder, or host:/folder. `roadtune resume` goes on from there.")
          .unset("nowhere"),
      Make("save_only_model", FieldType::Flag, false, "Write weights alone: smaller, but nothing to resume from."),
      Make("save_safetensors", FieldType::Flag, true, "Checkpoints are safetensors files; nothing else is offered."),
      Make("max_shard_size", FieldType::Number, 5.0,
           "A checkpoint's weights are split into files of at most this size.")
          .unit("GB")
          .range(0.001, 1000),
      Make("adapter_layout", FieldType::Choice, "auto",
           "Module paths in adapter files: C as PEFT writes them today, B for transformers 4.52 to 5.5, A for 4.51 and "
           "older. "
           "`auto` is the one that fits most readers.")
          .oneOf({"auto", "A", "B", "C"})
          .when("finetuning_type", {"lora", "qlora"}),
      Make("resume_from_checkpoint", FieldType::Path, {},
           "Go on from this checkpoint; `latest` is the newest of output_dir.")
          .unset("begin anew")
          .oneOf({"latest"})
          .words({{"true", "latest"}, {"false", "null"}, {"last", "latest"}}),
      Make("record_provenance", FieldType::Flag, true,
           "Note which samples made up each step, to look up what was behind a spike."),
      Make("record_sample_losses", FieldType::Flag, true, "Note what every sample cost in every step (ledger/)."),
  };
}

}  // namespace roadtune::config
