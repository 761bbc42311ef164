// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/engine/quant/nf4_weight.h"
#include "core/model/module_tree.h"
#include "core/model/weight_files.h"

#include <memory>
#include <string>

namespace roadtune::engine {

// Is this how bitsandbytes stores a 4-bit weight: bytes beside a tensor <name>.absmax?
bool isStoredNf4(const model::WeightFiles& files, const model::TensorView& view);

// A 4-bit weight as it lies on disk: codes, scales (nested or not) and the quant_state JSON. `expected` is the shape
// that config.json asks for.
Result<std::shared_ptr<Nf4Weight>> readStoredNf4(const model::WeightFiles& files, const model::TensorView& view,
                                                 const std::vector<std::int64_t>& expected, const std::string& where);

// What bitsandbytes stores for a 4-bit weight called `name`, in its order and with its bytes.
struct StoredTensor {
  std::string name;
  at::Tensor tensor;
};
std::vector<StoredTensor> storedNf4(const std::string& name, const Nf4Weight& weight);

}  // namespace roadtune::engine
