// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train/command.h"
#include "core/engine/probe.h"
#include "core/model/numerics.h"

#include <fmt/format.h>

#include <memory>

namespace roadtune {

TrainerAction addProbe(CLI::App& app) {
  auto request = std::make_shared<engine::ProbeRequest>();
  app.add_option("--model", request->model, "folder of the base model")->required();
  app.add_option("--batch", request->batch, "inputs, as `roadtune encode` makes them")->required();
  app.add_option("--out", request->out, "safetensors file to write")->required();
  app.add_option("--adapter", request->adapter, "folder of a LoRA adapter");
  app.add_flag("--logits", request->logits, "write the logits of every position");
  app.add_flag("--grads", request->gradients, "run backward and write the gradient of every trainable tensor");
  app.add_option("--quantize", request->quantize, "base weights in 4 bits: nf4, or nf4-dq with double quantisation");
  app.add_option("--profile", request->profile, "whose arithmetic: hf-5.23, hf-5-sdpa, hf-4.51-eager, big-vision");
  app.add_option("--device", request->device, "cpu or cuda:N");
  app.add_option("--dtype", request->dtype, "auto (as stored), float32 or bfloat16");
  app.add_flag("--checkpointing", request->checkpointActivations, "recompute blocks in backward");
  app.add_flag("--packed", request->packed, "leave padding out of everything but attention, as training does");
  return [request]() -> Result<int> {
    ROADTUNE_TRY(const auto report, engine::probe(*request));
    fmt::print("loss {:.6f} over {} target tokens\n", report.loss, report.targets);
    return 0;
  };
}

}  // namespace roadtune
