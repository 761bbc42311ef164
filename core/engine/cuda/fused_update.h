// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"
#include "core/engine/optim/moment.h"

namespace roadtune::engine::cuda {

struct Update {
  double rate, beta1, beta2, epsilon, decay;
  at::Tensor gradientFactor;  // of clipping, float32, beside the values; no number: nothing changes
  std::int64_t step;          // from 1
};

// One AdamW step over buffers of equal length, both moments alike. Of values in float32, whose gradients are in it too,
// `copy` (bfloat16), unless undefined, becomes the nearest. Values in bfloat16 are the upper halves of float32 ones
// where there are `remainders` (halves.h), and else rounded by chance.
void adamW(const KernelTable& kernels, at::Tensor& values, const at::Tensor& gradients, const Moment& first,
           const Moment& second, const at::Tensor& copy, const Update& update, const at::Tensor& remainders = {});

// average += weight (value - average) for values in two halves; `weight` float32, beside them.
void average(const KernelTable& kernels, at::Tensor& averages, const at::Tensor& upper, const at::Tensor& lower,
             const at::Tensor& weight);

// Codes and scales of a float32 matrix; `scales` float32 [blocks of 64].
void quantiseNf4(const KernelTable& kernels, const at::Tensor& values, at::Tensor& codes, at::Tensor& scales);

struct Nf4Parts {
  at::Tensor codes, scales;    // scales float32, or uint8 when there are nested ones
  at::Tensor nested, byteMap;  // float32; undefined without double quantisation
  double offset = 0;
};

// Values of `shape` in `type`, after rounding to `stored`.
at::Tensor dequantiseNf4(const KernelTable& kernels, const Nf4Parts& parts, at::IntArrayRef shape,
                         at::ScalarType stored, at::ScalarType type);

// x [..., in] times a weightᵀ of shape [out, in], unpacked on the way. For few rows only: the weight is read once for
// every kNf4ProductRows of them.
at::Tensor nf4Product(const KernelTable& kernels, const Nf4Parts& parts, at::IntArrayRef shape, at::ScalarType stored,
                      const at::Tensor& x);

// table [V, H] += rows of `gradient` [N, H] at `ids`; `padding` and ids outside are left out.
void scatterRows(const KernelTable& kernels, at::Tensor& table, const at::Tensor& ids, const at::Tensor& gradient,
                 std::int64_t padding);

}  // namespace roadtune::engine::cuda
