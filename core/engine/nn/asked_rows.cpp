// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/asked_rows.h"

#include "core/engine/nn/ops.h"
#include "core/engine/nn/packed_rows.h"

#include <ATen/ops/gather.h>
#include <ATen/ops/remainder.h>

namespace roadtune::engine {

std::array<at::Tensor*, 7> AskedRows::tensors() {
  const auto ofPrefixes = prefixes.tensors();
  return {&rows, &whole, &places, ofPrefixes[0], ofPrefixes[1], ofPrefixes[2], ofPrefixes[3]};
}

at::Tensor AskedRows::of(const at::Tensor& packed) const {
  return PackedRows{rows, 1, packed.size(0)}.gathered(packed.unsqueeze(0));
}

at::Tensor AskedRows::spread(const at::Tensor& asked) const { return PackedRows{places, batch, longest}.spread(asked); }

at::Tensor AskedRows::gathered(const at::Tensor& block) const {
  return PackedRows{places, batch, longest}.gathered(block);
}

at::Tensor AskedRows::ofMask(const at::Tensor& mask) const {
  const auto keys = mask.size(3);
  const auto queries = at::zeros({batch * longest}, whole.options()).index_copy_(0, places, columns());
  const auto index = queries.view({batch, 1, longest, 1}).expand({batch, 1, longest, keys});
  return at::gather(mask.expand({batch, 1, mask.size(2), keys}), 2, index);
}

at::Tensor AskedRows::columns() const { return at::remainder(whole, length); }

ForwardContext AskedRows::alone(const ForwardContext& all) const {
  auto context = all;
  context.packed = std::make_shared<PackedRows>(PackedRows{whole, batch, length});
  return context;
}

}  // namespace roadtune::engine
