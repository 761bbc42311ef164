// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace roadtune::engine {

// The first values of an adapter's matrices and bias, as peft draws them for each kind of init_lora_weights, in
// float32.
at::Tensor firstValue(const model::Tensor& tensor, const model::Module& module, model::AdapterInit init,
                      std::uint64_t seed);

}  // namespace roadtune::engine
