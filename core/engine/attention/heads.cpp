// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attention/heads.h"

#include "core/engine/cuda/fused_heads.h"

namespace roadtune::engine {
namespace {

const cuda::KernelTable* movers(const at::Tensor& x, const PackedRows* packed) {
  return packed && packed->rowAt.defined() ? cuda::kernelsFor(x) : nullptr;
}

cuda::RowPlaces placesOf(const PackedRows& packed) {
  return {packed.places, packed.rowAt, packed.batch, packed.length};
}

}  // namespace

at::Tensor splitHeads(const at::Tensor& projected, std::int64_t heads, const PackedRows* packed,
                      const RopeTable* rope) {
  if (const auto* kernels = movers(projected, packed))
    return cuda::headsOfRows(*kernels, projected, placesOf(*packed), heads, rope ? rope->cos : at::Tensor(),
                             rope ? rope->sin : at::Tensor());
  const auto block = packed ? packed->spread(projected) : projected;
  const auto split = block.view({block.size(0), block.size(1), heads, block.size(2) / heads}).transpose(1, 2);
  return rope ? applyRope(split, *rope) : split;
}

at::Tensor joinHeads(const at::Tensor& x, const PackedRows* packed) {
  if (const auto* kernels = movers(x, packed)) return cuda::rowsOfHeads(*kernels, x, placesOf(*packed));
  const auto block = x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
  return packed ? packed->gathered(block) : block;
}

}  // namespace roadtune::engine
