// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_builder.h"

namespace roadtune::config {

FieldTable batchFields() {
  return {
      Make("per_device_train_batch_size", FieldType::Integer, 8, "Samples per process in one forward pass.")
          .unit("samples")
          .range(1, 65536)
          .also({"micro_batch_size", "batch_size", "train_batch_size", "batch"})
          .basic(),
      Make("gradient_accumulation_steps", FieldType::Integer, 1, "Forward passes per optimizer step.")
          .range(1, 65536)
          .also({"accumulate_grad_batches", "gradient_accumulation"})
          .basic(),
      Make("num_train_epochs", FieldType::Number, 3.0,
           "Times through the training data; max_steps above 0 wins over it.")
          .unit("epochs")
          .above(0)
          .atMost(1e6)
          .also({"num_epochs", "epochs"})
          .basic(),
      Make("max_steps", FieldType::Integer, -1, "Optimizer steps in all; -1 leaves it to num_train_epochs.")
          .unit("steps")
          .range(-1, 1e12)
          .basic(),
      Make("seed", FieldType::Integer, 42, "Decides adapters' first values, data order, dropout and box order.")
          .range(0, 4294967295.0)
          .also({"random_seed"})
          .basic(),
      Make("data_seed", FieldType::Integer, {}, "Seed of the data order alone.")
          .unset("same as seed")
          .range(0, 4294967295.0),
      Make("dataloader_num_workers", FieldType::Integer, {},
           "Threads per process that decode and resize ahead; 0 does it in the training thread. When not set half of "
           "its cores beside a GPU, 8 at most, and 0 on the CPU. The order never depends on it.")
          .unset("auto")
          .unit("threads")
          .range(0, 1024)
          .also({"num_workers", "workers", "dataloader_num_proc"})
          .basic(),
      Make("dataloader_prefetch_factor", FieldType::Integer, {},
           "Batches that each worker keeps ready; together those of one optimizer step at least.")
          .unset("2")
          .unit("batches")
          .range(1, 1024),
      Make("dataloader_drop_last", FieldType::Flag, false,
           "Leave out the last batch of a training epoch when it is short; evaluation takes every sample.")
          .also({"drop_last"}),
      Make("dataloader_pin_memory", FieldType::Flag, true, "Hand batches to the GPU from page-locked memory."),
  };
}

FieldTable optimizerFields() {
  return {
      Make("learning_rate", FieldType::Number, 5e-5, "Peak learning rate.").range(0, 100).also({"lr", "lr0"}).basic(),
      Make("vision_tower_learning_rate", FieldType::Number, {},
           "Learning rate of the vision tower instead of learning_rate.")
          .unset("the common rate")
          .range(0, 100)
          .also({"vit_lr", "vision_lr", "vision_learning_rate"}),
      Make("multi_modal_projector_learning_rate", FieldType::Number, {},
           "Learning rate of the projector instead of learning_rate.")
          .unset("the common rate")
          .range(0, 100)
          .also({"aligner_lr", "projector_lr", "projector_learning_rate"}),
      Make("language_model_learning_rate", FieldType::Number, {},
           "Learning rate of the text model instead of learning_rate.")
          .unset("the common rate")
          .range(0, 100)
          .also({"llm_lr"}),
      Make("embedding_learning_rate", FieldType::Number, {},
           "Learning rate of the token embedding instead of its tower's.")
          .unset("its tower's")
          .range(0, 100)
          .also({"embedding_lr"}),
      Make("optim", FieldType::Choice, "adamw_torch_fused",
           "Optimizer. The first two names mean the same AdamW; adamw_8bit keeps its moments in 8 bits.")
          .oneOf({"adamw_torch_fused", "adamw_torch", "adamw_8bit"})
          .words({{"adamw", "adamw_torch_fused"},
                  {"adamw_hf", "adamw_torch"},
                  {"paged_adamw", "adamw_torch_fused"},
                  {"paged_adamw_32bit", "adamw_torch_fused"},
                  {"adamw_bnb_8bit", "adamw_8bit"},
                  {"paged_adamw_8bit", "adamw_8bit"}})
          .also({"optimizer"}),
      Make("weight_decay", FieldType::Number, 0.0, "Decoupled weight decay; norms and biases have none.")
          .range(0, 10)
          .basic(),
      Make("adam_beta1", FieldType::Number, 0.9, "Decay of AdamW's first moment.")
          .atLeast(0)
          .below(1)
          .also({"adam_b1"}),
      Make("adam_beta2", FieldType::Number, 0.999, "Decay of AdamW's second moment.")
          .atLeast(0)
          .below(1)
          .also({"adam_b2"}),
      Make("adam_epsilon", FieldType::Number, 1e-8, "Added to AdamW's denominator.").range(0, 1),
      Make("max_grad_norm", FieldType::Number, 1.0, "Gradients are scaled down to this norm; 0 does not clip.")
          .atLeast(0)
          .also({"gradient_clipping", "max_norm", "clip_grad_norm"})
          .basic(),
      Make("label_smoothing_factor", FieldType::Number, 0.0,
           "Share of the target probability spread over all tokens. Each position is held against the token that "
           "follows; transformers 5.23 forgets that here.")
          .atLeast(0)
          .below(1)
          .also({"label_smoothing"}),
      Make("neftune_noise_alpha", FieldType::Number, {},
           "Strength of noise on the token embeddings while training (NEFTune).")
          .unset("off")
          .atLeast(0)
          .also({"neftune_alpha"}),
      Make(
          "loss_reduction", FieldType::Choice, "token",
          "What a step's loss is the mean of: all answer tokens of the step, as in Trainer, or the samples' own means.")
          .oneOf({"token", "sample"})
          .words({{"tokens", "token"}, {"example", "sample"}, {"samples", "sample"}}),
      Make("average_tokens_across_devices", FieldType::Flag, true,
           "Count the answer tokens of all processes for the mean of a step, so that the loss does not depend on the "
           "number of processes."),
      Make("ema_decay", FieldType::Number, {}, "Also keep an average of the weights with this decay, and save it.")
          .unset("off")
          .above(0)
          .below(1),
  };
}

FieldTable scheduleFields() {
  return {
      Make("lr_scheduler_type", FieldType::Choice, "linear", "Course of the learning rate after the warm-up.")
          .oneOf({"linear", "cosine", "cosine_with_restarts", "polynomial", "constant", "constant_with_warmup",
                  "inverse_sqrt", "cosine_with_min_lr", "cosine_warmup_with_min_lr", "warmup_stable_decay"})
          .also({"lr_scheduler", "scheduler"})
          .basic(),
      Make("lr_scheduler_kwargs", FieldType::Map, Value::Map{},
           "More about the course: num_cycles, power, lr_end, min_lr, min_lr_rate, min_lr_ratio, warmup_lr_rate, "
           "timescale, "
           "num_stable_steps, num_decay_steps, warmup_type and decay_type (linear, cosine, 1-sqrt).")
          .also({"lr_scheduler_args"}),
      Make("warmup_steps", FieldType::Number, 0.0,
           "Steps in which the rate rises from 0; below 1 it is a share of all steps.")
          .unit("steps")
          .atLeast(0)
          .also({"num_warmup_steps"})
          .basic(),
      Make("warmup_ratio", FieldType::Number, 0.0, "The same as a share of all steps; give one of the two.")
          .range(0, 1),
      Make("bf16", FieldType::Flag, false, "Compute in bfloat16; masters and optimizer stay in float32.").basic(),
      Make("pure_bf16", FieldType::Flag, false,
           "Compute in bfloat16, and keep trained matrices and their gradients in it alone: 2 to 4 bytes less for "
           "each weight. Updates are rounded up or down by chance, so that small ones count on average."),
      Make("fp16", FieldType::Flag, false, "Compute in float16. Not offered: bf16 needs no loss scaling."),
      Make("tf32", FieldType::Flag, {}, "Let float32 multiplications use TF32 on GPUs.").unset("off"),
      Make("gradient_checkpointing", FieldType::Flag, false,
           "Keep one block's activations at a time and compute them again: less memory, about a third more work.")
          .also({"activation_checkpointing", "use_gradient_checkpointing"})
          .also({"disable_gradient_checkpointing"}, AliasRule::Inverted)
          .basic(),
      Make("gradient_checkpointing_blocks", FieldType::Integer, {},
           "Only so many blocks are computed again, the first that gradients reach: those of the vision tower, then "
           "those of the language model. As few as fit into memory cost the least.")
          .unset("all of them")
          .atLeast(1)
          .when("gradient_checkpointing", {"true"})
          .also({"recompute_num_layers"})
          .basic(),
      Make("padding_free", FieldType::Flag, true,
           "Work on the tokens of a batch alone; padding takes part in attention only. The results are the same."),
      Make("cache_vision_features", FieldType::Choice, "off",
           "Compute what a frozen vision tower makes of an image once: kept in the memory of each process, or on disk "
           "for all epochs, processes and runs with the same tower.")
          .oneOf({"off", "memory", "disk"})
          .words({{"true", "memory"}, {"false", "off"}, {"ram", "memory"}}),
      Make("vision_cache_dir", FieldType::Path, {}, "Folder of the disk cache.")
          .unset("roadtune/features in the user's cache folder")
          .when("cache_vision_features", {"disk"}),
      Make("vision_cache_limit", FieldType::Number, {}, "Size of that cache; when not set 16 in memory, 200 on disk.")
          .unset("16 or 200")
          .unit("GB")
          .above(0)
          .when("cache_vision_features", {"memory", "disk"}),
      Make("full_determinism", FieldType::Flag, false,
           "Only kernels that give the same bits every time, even if slower.")
          .also({"deterministic"}),
  };
}

FieldTable guardFields() {
  return {
      Make("on_non_finite", FieldType::Choice, "skip",
           "A step whose loss or gradient is not finite: it is not applied, or the run stops at once.")
          .oneOf({"skip", "stop"}),
      Make("max_non_finite_steps", FieldType::Integer, 3, "This many non-finite steps in a row stop the run.")
          .unit("steps")
          .atLeast(1)
          .when("on_non_finite", {"skip"}),
      Make("on_divergence", FieldType::Choice, "warn", "A loss that runs away: say so, save and stop, or look away.")
          .oneOf({"warn", "stop", "ignore"}),
      Make("divergence_ratio", FieldType::Number, 2.0,
           "Running away means: the fast average of the loss is this many times the slow one.")
          .above(1)
          .when("on_divergence", {"warn", "stop"}),
      Make("verify_updates", FieldType::Flag, true,
           "After the first step, compare which weights really changed with what the configuration wants; a mismatch "
           "stops the run."),
  };
}

}  // namespace roadtune::config
