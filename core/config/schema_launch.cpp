// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_builder.h"

namespace roadtune::config {

FieldTable launchFields() {
  return {
      Make("device", FieldType::Choice, "auto", "Where to compute: `auto` takes the GPUs when there are any.")
          .oneOf({"auto", "cpu", "cuda"})
          .words({{"gpu", "cuda"}})
          .basic(),
      Make("nproc_per_node", FieldType::Integer, {},
           "Processes per machine; when not set one per GPU, or one without a GPU.")
          .unset("one per GPU")
          .unit("processes")
          .range(1, 1024)
          .also({"num_processes", "nproc", "gpus_per_node", "num_gpus"})
          .basic(),
      Make("gpus", FieldType::Integers, {}, "Numbers of the GPUs to use, from 0.")
          .unset("all")
          .atLeast(0)
          .also({"cuda_visible_devices", "gpu_ids"})
          .when("device", {"auto", "cuda"}),
      Make("hosts", FieldType::List, {}, "Machines to train on, by ssh name, first one leads.")
          .unset("this machine")
          .also({"nodes"})
          .basic(),
      Make("fleet", FieldType::Path, {}, "A fleet file instead of hosts.")
          .unset("none")
          .also({"fleet_file", "hostfile"}),
      Make("sharding", FieldType::Choice, "ddp",
           "What each process holds: everything (ddp), its share of weights, gradients and optimizer (sharded), or "
           "shares within a machine and copies across machines (hybrid).")
          .oneOf({"ddp", "sharded", "hybrid"})
          .words({{"fsdp", "sharded"},
                  {"zero3", "sharded"},
                  {"none", "ddp"},
                  {"full_shard", "sharded"},
                  {"hybrid_shard", "hybrid"}})
          .also({"parallelism", "distributed_strategy"})
          .basic(),
      Make("shard_frozen_weights", FieldType::Flag, true,
           "Share out weights that are not trained, too; false keeps all of them in every process and sends none.")
          .when("sharding", {"sharded", "hybrid"}),
      Make("reshard_after_forward", FieldType::Flag, true,
           "Give a block's gathered weights back after its forward pass; false keeps them for the backward pass: "
           "less traffic, more memory.")
          .also({"fsdp_reshard_after_forward"})
          .when("sharding", {"sharded", "hybrid"}),
      Make("torch_num_threads", FieldType::Integer, {}, "Threads of one process's arithmetic on the CPU.")
          .unset("cores shared out")
          .unit("threads")
          .range(1, 4096)
          .also({"omp_num_threads", "num_threads"}),
      Make("max_restarts", FieldType::Integer, 0,
           "Times a run that failed for a reason that may pass is started again from its last checkpoint: on one "
           "machine by its agent, on several by `roadtune train` while it follows them, which also waits for a "
           "machine that went away. The queue has --retries for the same.")
          .range(0, 1000),
      Make("stall_factor", FieldType::Number, 20.0,
           "A step that takes so many times the median, and at least a minute, is a stall; 0 never looks.")
          .unit("steps")
          .range(0, 1e6),
      Make("on_stall", FieldType::Choice, "warn", "Tell of a stall and wait, or end the run as failed.")
          .oneOf({"warn", "stop"}),
      Make("environment", FieldType::Map, Value::Map{}, "Variables to set for every process.")
          .also({"env", "env_vars"}),
  };
}

FieldTable networkFields() {
  return {
      Make("master_addr", FieldType::Text, {}, "Address where processes meet.")
          .unset("the first host")
          .also({"main_process_ip", "rdzv_host"}),
      Make("master_port", FieldType::Integer, 29500, "Port where processes meet.")
          .range(1, 65535)
          .also({"main_process_port"}),
      Make("ddp_backend", FieldType::Choice, "auto", "Who moves gradients: NCCL between GPUs, Gloo between CPUs.")
          .oneOf({"auto", "nccl", "gloo"}),
      Make("ddp_timeout", FieldType::Integer, 1800, "A collective that takes longer ends the run.")
          .unit("s")
          .atLeast(1),
      Make("peer_timeout", FieldType::Integer, 120,
           "A machine that has answered nothing for so long is gone, by a lost power or a cut network: the processes "
           "that wait for it end. 0 waits for ddp_timeout.")
          .unit("s")
          .range(0, 86400),
      Make("ddp_bucket_cap_mb", FieldType::Integer, 25, "Gradients are sent in buckets of this size.")
          .unit("MB")
          .range(1, 4096),
      Make("nccl_debug", FieldType::Choice, "WARN", "How much NCCL says in the log.")
          .oneOf({"VERSION", "WARN", "INFO", "TRACE"}),
      Make("nccl_socket_ifname", FieldType::Text, {}, "Network interfaces for NCCL, as NCCL_SOCKET_IFNAME takes them.")
          .unset("chosen by NCCL"),
      Make("nccl_ib_hca", FieldType::Text, {}, "InfiniBand adapters for NCCL, as NCCL_IB_HCA takes them.")
          .unset("chosen by NCCL"),
      Make("gloo_socket_ifname", FieldType::Text, {}, "Network interface for Gloo, as GLOO_SOCKET_IFNAME takes it.")
          .unset("chosen by Gloo"),
  };
}

}  // namespace roadtune::config
