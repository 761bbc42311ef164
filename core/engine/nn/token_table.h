// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace roadtune::engine {

// Carries the gradient of a tied table from the head, whose backward pass comes first, to the look-up, which adds its
// rows to it: one tensor as large as the table instead of three. Belongs to one pass.
struct TableGradient {
  at::Tensor value;  // undefined: the head had nothing
};

// Rows of a table by id, as at::embedding: `padding` gets no gradient.
at::Tensor lookUp(const at::Tensor& table, const at::Tensor& ids, std::int64_t padding,
                  const std::shared_ptr<TableGradient>& fromHead, bool addsDirectly);

}  // namespace roadtune::engine
