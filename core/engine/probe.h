// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace roadtune::engine {

// One forward pass, and one backward pass when gradients are wanted, over a batch stored as safetensors (int64
// input_ids, attention_mask, token_type_ids, labels [B, L]; float32 pixel_values [N, 3, S, S]; all but input_ids may
// be absent).
struct ProbeRequest {
  std::filesystem::path model;
  std::filesystem::path batch;
  std::filesystem::path out;
  std::filesystem::path adapter = {};
  bool logits = false;
  bool gradients = false;
  std::string quantize = {};  // "", "nf4", "nf4-dq"
  std::string profile = {};
  std::string device = "cpu";
  std::string dtype = "auto";  // auto: as the checkpoint stores it; float32; bfloat16
  bool checkpointActivations = false;
  bool packed = false;  // padding is worked on in attention alone, as in training; logits there say nothing
};

struct ProbeReport {
  double loss = 0;             // nan without labels
  std::int64_t targets = 0;    // labelled positions
  std::int64_t gradients = 0;  // tensors written
};

// Writes float32 `loss` [], `logits` [B, L, V] and `grad.<name on disk>` to request.out.
Result<ProbeReport> probe(const ProbeRequest& request);

}  // namespace roadtune::engine
