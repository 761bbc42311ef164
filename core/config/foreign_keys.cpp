// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/foreign_keys.h"

#include <unordered_map>

namespace roadtune::config {
namespace {

constexpr const char* kHub = "nothing is uploaded";
constexpr const char* kAlways = "this is what Roadtune does anyway";
constexpr const char* kText = "samples are read as they are";

std::vector<ForeignKey> ignoredKeys() {
  std::vector<ForeignKey> keys;
  const auto add = [&](const char* why, std::initializer_list<const char*> names) {
    for (const char* name : names) keys.push_back({name, false, why});
  };
  add("training is what a run does", {"do_train", "do_eval", "do_predict", "stage", "mode"});
  add("no adapters are on the embedding", {"loraplus_lr_embedding", "lorap_emb_lr"});
  add("the loss counts the answers alone", {"train_on_completions", "train_on_inputs", "train_on_prompt"});
  add(kHub, {"push_to_hub", "hub_token", "hub_model_id", "hub_strategy", "hub_private_repo", "hub_always_push",
             "hub_revision", "hf_use_auth_token", "push_to_hub_model_id", "push_to_hub_organization", "hub", "hf_token",
             "push_dataset_to_hub"});
  add(kAlways, {"remove_unused_columns",
                "dataloader_persistent_workers",
                "dataloader_in_order",
                "ddp_find_unused_parameters",
                "ddp_broadcast_buffers",
                "ddp_static_graph",
                "gradient_checkpointing_kwargs",
                "activation_checkpointing_kwargs",
                "include_num_input_tokens_seen",
                "include_tokens_per_second",
                "fan_in_fan_out",
                "lora_fan_in_fan_out",
                "inference_mode",
                "bf16_full_eval",
                "use_cache",
                "eval_do_concat_batches",
                "save_on_each_node",
                "skip_memory_metrics",
                "visual_inputs",
                "plot_loss",
                "log_on_each_node",
                "disable_tqdm",
                "overwrite_cache",
                "preprocessing_num_workers",
                "dataset_num_proc",
                "is_llama_derived_model",
                "upcast_layernorm"});
  add("trackers are chosen with report_to",
      {"wandb_project", "wandb_entity", "wandb_watch", "wandb_log_model", "use_swanlab", "enable_wandb",
       "enable_tensorboard", "project", "mlflow_tracking_uri", "trackio_space_id", "trackio_static_space_id",
       "trackio_bucket_id", "wandb_token", "wandb_run_name"});
  add("TensorBoard's files stand in the run's folder, under runs", {"logging_dir", "tensorboard_dir"});
  add("no weights are kept in 8 bits",
      {"llm_int8_threshold", "llm_int8_enable_fp32_cpu_offload", "llm_int8_has_fp16_weight"});
  add("no code of a checkpoint is ever run", {"trust_remote_code"});
  add("data is named by path", {"dataset_dir", "media_dir", "cache_dir", "chat_column", "prompt_column", "text_column",
                                "column_mapping", "train_split", "valid_split", "image_column"});
  add(kText, {"format_type", "system", "use_chat_template", "special_tokens", "pad_to_sequence_len", "image_max_pixels",
              "image_min_pixels", "video_max_pixels", "video_min_pixels", "video_fps", "video_maxlen",
              "image_resize_algorithm"});
  add("`roadtune merge` makes one model of both", {"merge_adapter"});
  add("PEFT's bookkeeping", {"peft_type", "peft_version", "task_type", "auto_mapping", "revision", "loftq_config",
                             "megatron_config", "megatron_core", "eva_config", "corda_config", "lora_ga_config",
                             "runtime_config", "qalora_group_size", "arrow_config", "kasa_config", "velora_config",
                             "monteclora_config", "ensure_weight_tying", "save_embedding_layers"});
  return keys;
}

// How something is done is not for a configuration to say.
std::vector<ForeignKey> keysOfOtherWays() {
  std::vector<ForeignKey> keys;
  for (const char* name : {"attn_implementation",
                           "attn_impl",
                           "flash_attn",
                           "flash_attention",
                           "xformers_attention",
                           "sdp_attention",
                           "use_liger_kernel",
                           "enable_liger_kernel",
                           "liger_kernel_config",
                           "torch_compile",
                           "torch_compile_backend",
                           "torch_compile_mode",
                           "torch_empty_cache_steps",
                           "quantization_method",
                           "quant_method",
                           "template",
                           "chat_template",
                           "use_fast_tokenizer",
                           "tokenizer_type",
                           "model_type",
                           "log_level",
                           "log_level_replica",
                           "accelerator_config",
                           "eval_accumulation_steps",
                           "batch_eval_metrics",
                           "length_column_name",
                           "label_names",
                           "restore_callback_states_from_checkpoint",
                           "use_unsloth",
                           "strict",
                           "plugins",
                           "eval_table_size",
                           "eager_attention",
                           "flex_attention",
                           "s2_attention",
                           "lora_mlp_kernel",
                           "lora_qkv_kernel",
                           "lora_o_kernel",
                           "dataset_processes",
                           "loss_watchdog_threshold",
                           "loss_watchdog_patience",
                           "dataset_prepared_path",
                           "debug",
                           "local_rank",
                           "use_cpu",
                           "eval_use_gather_object",
                           "include_for_metrics",
                           "dataloader_multiprocessing_context",
                           "enable_jit_checkpoint",
                           "bnb_4bit_quant_storage",
                           "quantization_device_map",
                           "device_map",
                           "low_cpu_mem_usage",
                           "backend",
                           "random_state",
                           "processor_type"})
    keys.push_back({name, false, "Roadtune has its own way for this"});
  return keys;
}

// Options of torchrun, accelerate and srun.
std::vector<ForeignKey> launcherKeys() {
  std::vector<ForeignKey> keys;
  for (const char* name :
       {"nnodes", "node_rank", "rdzv_id", "rdzv_backend", "rdzv_endpoint", "rdzv_conf", "standalone", "num_machines",
        "machine_rank", "same_network", "multi_gpu", "num_nodes", "jobid", "monitor_interval"})
    keys.push_back({name, false, "machines are chosen with hosts"});
  return keys;
}

std::vector<ForeignKey> refusedKeys() {
  return {
      {"deepspeed", true, "DeepSpeed is not used", "sharding: sharded"},
      {"fsdp", true, "sharding is named differently here", "sharding: sharded"},
      {"fsdp_config", true, "sharding is named differently here", "sharding: sharded"},
      {"parallelism_config", true, "sharding is named differently here", "sharding: sharded"},
      {"load_in_8bit", true, "8-bit weights are not offered", "load_in_4bit: true with finetuning_type: qlora"},
      {"fp16_full_eval", true, "float16 is not offered", "bf16: true"},
      {"fp8", true, "8-bit floating point is not offered", "bf16: true"},
      {"mix_strategy", true, "sources are mixed by their weights",
       "train_data: [{path: A, weight: 1}, {path: B, weight: 3}]"},
      {"interleave_probs", true, "sources are mixed by their weights",
       "train_data: [{path: A, weight: 1}, {path: B, weight: 3}]"},
      {"packing", true, "samples are not packed together", "remove the line"},
      {"sample_packing", true, "samples are not packed together", "remove the line"},
      {"neat_packing", true, "samples are not packed together", "remove the line"},
      {"streaming", true, "data is read in place, which needs no streaming", "remove the line"},
      {"auto_find_batch_size", true, "the batch size is what you say", "roadtune estimate shows what fits"},
      {"group_by_length", true, "samples are not sorted by length", "shuffle: true or false"},
      {"ignore_data_skip", true, "resuming always goes on with the next sample", "remove the line"},
      {"create_new_adapter", true, "training goes on with the adapter itself, which is not merged first",
       "roadtune merge, and the merged model as model_name_or_path"},
      {"optim_target_modules", true, "layer-wise optimizers are not offered", "remove the line"},
      {"optim_args", true, "the optimizer has no further options", "adam_beta1, adam_beta2, adam_epsilon"},
      {"target_parameters", true, "adapters go on linear layers only", "target_modules"},
      {"trainable_token_indices", true, "single rows of the embedding cannot be trained alone",
       "modules_to_save: [embed_tokens]"},
      {"layer_replication", true, "layers cannot be repeated", "remove the line"},
      {"use_qalora", true, "this kind of adapter is not offered", "use_rslora or use_dora"},
      {"use_loftq", true, "this first value of adapters is not offered", "init_lora_weights: gaussian"},
      {"alora_invocation_tokens", true, "this kind of adapter is not offered", "remove the line"},
      {"use_bdlora", true, "this kind of adapter is not offered", "remove the line"},
      {"use_galore", true, "this optimizer is not offered", "optim: adamw_torch_fused"},
      {"use_badam", true, "this optimizer is not offered", "optim: adamw_torch_fused"},
      {"finetune_attention_modules", true, "choose layers by name", "target_modules: [gate_proj, up_proj, down_proj]",
       true},
      {"finetune_mlp_modules", true, "choose layers by name", "target_modules: [q_proj, k_proj, v_proj, o_proj]", true},
      {"evals_per_epoch", true, "evaluations are counted in steps or epochs",
       "eval_strategy: epoch, or eval_steps: 0.1"},
      {"saves_per_epoch", true, "checkpoints are counted in steps or epochs",
       "save_strategy: epoch, or save_steps: 0.1"},
      {"freeze_trainable_layers", true, "choose modules by name", "modules: {language_model.layers.17: full}"},
      {"unfrozen_parameters", true, "choose modules by name", "modules: {language_model.layers.17: full}"},
  };
}

}  // namespace

const ForeignKey* findForeignKey(std::string_view name) {
  static const auto keys = [] {
    std::unordered_map<std::string, ForeignKey> byName;
    for (auto& key : ignoredKeys()) byName.emplace(key.name, key);
    for (auto& key : keysOfOtherWays()) byName.emplace(key.name, key);
    for (auto& key : launcherKeys()) byName.emplace(key.name, key);
    for (auto& key : refusedKeys()) byName.insert_or_assign(key.name, key);
    return byName;
  }();
  const auto found = keys.find(std::string(name));
  return found == keys.end() ? nullptr : &found->second;
}

}  // namespace roadtune::config
