// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arguments of the kernels: plain pointers and numbers, so that neither side of the plugin's boundary needs the
// other's headers. Memory belongs to the caller and lies on one device; rows are contiguous unless strides are given.
#include "core/engine/cuda/portable.h"

#include <cstdint>

namespace roadtune::engine::cuda {

enum class Element : std::int32_t { Float, Bf16 };

// y = x / rms(x) (1 + gain) per row. With `delta` the row normalised is x + delta, which is also written to `sum`.
struct RmsNormArgs {
  Element type;
  const void *x, *delta;
  const float* gain;
  void *y, *sum;
  float* inverse;  // 1 / rms of every row
  std::int64_t rows, width;
  float eps;
};

// Gradient of x (and delta). `extra`, when given, is what arrived for x + delta from elsewhere and is added. The
// gradient of the gain, unless null, comes as partial sums [parts, width] over consecutive rows; the caller adds them
// up.
struct RmsNormGradientArgs {
  Element type;
  const void *gradient, *x, *extra;
  const float *gain, *inverse;
  void* forInput;
  float* forGain;
  std::int64_t rows, width, parts;
};

// With `delta` and `extra` as above; weight and bias in the type of x.
struct LayerNormArgs {
  Element type;
  const void *x, *delta, *weight, *bias;
  void *y, *sum;
  float *mean, *inverse;
  std::int64_t rows, width;
  float eps;
};

// Those of weight and bias, unless null, as partial sums.
struct LayerNormGradientArgs {
  Element type;
  const void *gradient, *x, *extra, *weight;
  const float *mean, *inverse;
  void* forInput;
  float *forWeight, *forBias;
  std::int64_t rows, width, parts;
};

// Rotates the halves of every head: out = x cos + rotated(x) sin. Strides in elements of batch, position and head;
// the innermost is 1. `backwards` turns the other way (the gradient). Without tables heads are moved as they are.
//
// With `from` [batch, length], heads come from elsewhere: the example and position that number there stands for when
// examples have `fromLength` positions, or zeros where it is negative. Angles are those of a position in the output,
// or in x where `anglesOfX`.
struct RopeArgs {
  Element type;
  const void *x, *cosine, *sine;  // tables [length, width]
  void* out;
  std::int64_t batch, length, heads, width;
  std::int64_t inBatch, inPosition, inHead, outBatch, outPosition, outHead;
  const std::int64_t* from;
  std::int64_t fromLength;
  bool anglesOfX, backwards;
};

// out = gelu(gate) up, with the tanh form of gelu. Null for `up` (and `forUp`): gelu(gate).
struct GegluArgs {
  Element type;
  const void *gate, *up;
  void* out;
  std::int64_t count;
};

// `made`, unless null: `out` once more, perhaps in the place of `gradient`.
struct GegluGradientArgs {
  Element type;
  const void *gradient, *gate, *up;
  void *forGate, *forUp, *made;
  std::int64_t count;
};

// Scores [batch, heads, queries, keys] before scaling -> probabilities: softmax(cap tanh(s scale / cap) + mask), or
// without a cap softmax(s scale + mask). mask: additive, of `type`, one row of keys per query; maskBatch 0 repeats it.
struct ProbabilityArgs {
  Element type;
  const void *scores, *mask;
  void* out;      // may be `scores`
  float* logSum;  // per row: written by the first pass, read when `known`
  std::int64_t batch, heads, queries, keys, maskBatch, maskRow;
  float scale, cap;
  bool known;  // logSum is there already
};

// Gradient of the scores from that of the probabilities; both of `type`, the scores as before the softmax.
struct ScoreGradientArgs {
  Element type;
  const void *scores, *mask, *gradient;
  const float* logSum;
  void* out;  // may be `gradient`
  std::int64_t batch, heads, queries, keys, maskBatch, maskRow;
  float scale, cap;
};

// Rows of logits [rows, vocabulary] -> cross entropy of every row; with `gradients` the logits become d(loss)/d(logits)
// in place, times the row's weight.
struct CrossEntropyArgs {
  Element type;
  void* logits;
  const std::int64_t* targets;
  const float* weights;
  float* loss;
  std::int64_t rows, vocabulary;
  float cap, smoothing;
  bool gradients;
};

// A moment of AdamW in 8 bits: entries of `map` [256] times one scale per block of 256 values.
struct ByteMoment {
  std::uint8_t* codes;
  float* scales;
  const float* map;
};

// One AdamW step over flat buffers; where `first` and `second` are null, the moments are in 8 bits. Of values in
// float32, whose gradients are so too, `copy` (bfloat16) receives the new ones, rounded to nearest. Values in bfloat16
// are the upper halves of float32 ones whose lower halves are `remainders` (halves.h), or else there is nothing beside
// them, and they are rounded up with the probability of what is cut off.
struct AdamWArgs {
  Element type, gradientType;
  void* values;
  const void* gradients;
  float *first, *second;
  ByteMoment firstBytes, secondBytes;
  Bf16* copy;
  std::uint16_t* remainders;
  std::int64_t count;
  float rate, beta1, beta2, epsilon, decay;
  const float* gradientFactor;  // of clipping; no number: nothing changes
  float correction1, root2;     // 1 - beta1^t, sqrt(1 - beta2^t)
  std::uint64_t seed;           // of chance
};

// average += *weight (value - average), of values in two halves.
struct AverageArgs {
  float* average;
  const Bf16* upper;
  const std::uint16_t* lower;
  const float* weight;
  std::int64_t count;
};

// NF4: blocks of 64 values. codes: two per byte, the first in the high nibble.
struct Nf4QuantiseArgs {
  const float* values;
  std::uint8_t* codes;
  float* scales;
  std::int64_t count;
};

// `scales` float32, or when null `scaleCodes` with one float per 256 of them and an offset. Values are rounded to
// `stored` first, the type the weight was quantised from.
struct Nf4DequantiseArgs {
  Element type, stored;
  const std::uint8_t *codes, *scaleCodes;
  const float *scales, *nested, *byteMap;  // byteMap [256]
  float offset;
  void* out;
  std::int64_t count;
};

// out [rows, columns] = x [rows, width] Wᵀ for a packed weight [columns, width], of which nothing is stored: each value
// becomes what dequantising makes of it and is multiplied in float32. Width is a multiple of 64; `weight` is as above
// but for its out; x and out are of its type, and x and the codes begin on 16 bytes.
struct Nf4ProductArgs {
  Nf4DequantiseArgs weight;
  const void* x;
  void* out;
  std::int64_t rows, width, columns;
};

// out = x mask / keep, where the mask of element i depends on `seed` and i alone. With `places`, row r of x [rows,
// width] takes the mask of row places[r].
struct DropoutArgs {
  Element type;
  const void* x;
  void* out;
  std::int64_t count, width;
  const std::int64_t* places;
  float probability;
  std::uint64_t seed;
};

// 8-bit pixels [images, side, side, 3] -> [images, 3, side, side]: channel c and level v become table[c][v].
struct PixelArgs {
  Element type;
  const std::uint8_t* pixels;
  const float* table;  // [3, 256]
  void* out;
  std::int64_t images, side;
};

// table[ids[i]] += rows[i], each sum in float32; ids outside [0, vocabulary) and `padding` are left out. `sorted`
// holds the ids in ascending order and `order` where each came from, so that every sum has one order.
struct ScatterArgs {
  Element type, tableType;
  const void* gradient;  // [count, width]
  const std::int64_t *sorted, *order;
  void* table;
  std::int64_t count, width, vocabulary, padding;
};

}  // namespace roadtune::engine::cuda
