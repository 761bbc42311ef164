// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attention/prefix_rows.h"
#include "core/engine/nn/forward_context.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

namespace roadtune::engine {

// Those packed rows of a batch whose final hidden state somebody asks for: of each example the last ones, from the
// first that a label is predicted from. What the last block makes of the others only its own keys and values ever see.
struct AskedRows {
  at::Tensor rows;    // int64: which of the packed rows, ascending
  at::Tensor whole;   // int64: where they stand in the flattened rectangle [batch, length] of all tokens
  at::Tensor places;  // int64: and in one of their own, [batch, longest]
  std::int64_t batch = 0, length = 0, longest = 0;
  PrefixRows prefixes = {};  // for attention without a mask; undefined where one lies before its prefix's last row

  bool defined() const { return rows.defined(); }
  std::array<at::Tensor*, 7> tensors();

  at::Tensor of(const at::Tensor& packed) const;          // [packed rows, width] to [rows, width]
  at::Tensor spread(const at::Tensor& asked) const;       // [rows, width] to [batch, longest, width], zero between them
  at::Tensor gathered(const at::Tensor& block) const;     // and back
  at::Tensor ofMask(const at::Tensor& mask) const;        // [batch or 1, 1, length, keys] to [batch, 1, longest, keys]
  at::Tensor columns() const;                             // in the rectangle of all tokens
  ForwardContext alone(const ForwardContext& all) const;  // for layers that see these rows and no others
};

}  // namespace roadtune::engine
