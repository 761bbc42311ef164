// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"

#include <cstdint>
#include <utility>

namespace roadtune::engine::cuda {

// gelu(gate) up with the tanh form; keeps its two inputs alone for the backward pass.
at::Tensor geglu(const KernelTable& kernels, const at::Tensor& gate, const at::Tensor& up);

// Its two halves without a graph: the product, and what arrived for it as gradients of gate and up. Where `up` is
// undefined, gelu(gate) alone. `again`: the product is made once more, in the place of `arrived`, which is lost.
at::Tensor gated(const KernelTable& kernels, const at::Tensor& gate, const at::Tensor& up);
struct GatedGradients {
  at::Tensor forGate, forUp, made;
};
GatedGradients gatedGradients(const KernelTable& kernels, const at::Tensor& arrived, const at::Tensor& gate,
                              const at::Tensor& up, bool again = false);

// Inverted dropout; the mask follows from the seed, so that the same pass drops the same values again. With `places`
// (int64 [rows]) row i of x [rows, width] loses what row places[i] would lose.
at::Tensor dropped(const KernelTable& kernels, const at::Tensor& x, double probability, std::uint64_t seed,
                   const at::Tensor& places = {});

// Bytes [images, side, side, 3] on the device -> [images, 3, side, side] in `type`, through a table [3, 256].
at::Tensor normalisedPixels(const KernelTable& kernels, const at::Tensor& pixels, const at::Tensor& table,
                            at::ScalarType type);

}  // namespace roadtune::engine::cuda
