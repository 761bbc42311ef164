// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"

namespace roadtune::engine::cuda {

// Rows of a table in `type`, without a copy of the whole table in that type. The gradient of the table is added up in
// float32, in one order, and in table.grad() itself when it `addsDirectly`; rows of `padding` get none.
at::Tensor embedded(const KernelTable& kernels, const at::Tensor& table, const at::Tensor& ids, std::int64_t padding,
                    at::ScalarType type, bool addsDirectly = false);

}  // namespace roadtune::engine::cuda
