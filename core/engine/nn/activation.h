// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/pali_config.h"

#include <ATen/core/Tensor.h>

namespace roadtune::engine {

at::Tensor activate(const at::Tensor& x, model::Activation activation);

}  // namespace roadtune::engine
