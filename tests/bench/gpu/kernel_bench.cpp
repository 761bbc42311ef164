// SPDX-License-Identifier: GPL-3.0-or-later
// Device time of every kernel, forward and backward, beside the same in plain torch operators. One micro-batch of 32
// samples of 300 tokens through PaliGemma 2 3B; bytes are what has to be read and written at least once.
#include "core/engine/attention/attention.h"
#include "core/engine/attention/heads.h"
#include "core/engine/attention/mask.h"
#include "core/engine/attention/prefix_rows.h"
#include "core/engine/attention/rope.h"
#include "core/engine/cuda/fused_attention.h"
#include "core/engine/cuda/fused_embedding.h"
#include "core/engine/cuda/fused_heads.h"
#include "core/engine/cuda/fused_loss.h"
#include "core/engine/cuda/fused_norm.h"
#include "core/engine/cuda/fused_points.h"
#include "core/engine/cuda/fused_update.h"
#include "core/engine/nn/device.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/products.h"

#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/softmax.h>
#include <benchmark/benchmark.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kBatch = 32, kLength = 300, kWidth = 2304, kInner = 9216, kHeads = 8, kKvHeads = 4, kHead = 256;
constexpr std::int64_t kPatches = kBatch * 256, kVisionWidth = 1152;
constexpr std::int64_t kVocabulary = 257216, kTargets = 512, kTrained = 400'000'000;

using Tensors = std::vector<at::Tensor>;
using Work = std::function<Tensors(const cuda::KernelTable&, const Tensors&)>;

const at::Device* gpu(benchmark::State& state) {
  static const auto opened = openDevice("cuda:0");
  if (opened.ok()) return &opened.value();
  state.SkipWithError(opened.error().text().c_str());
  return nullptr;
}

// Of one run among many, the first left out. Products that take a while stand before them, so that the device never
// waits for what launches them.
double secondsOnDevice(const at::Device& device, const std::function<void()>& work) {
  constexpr int kTimes = 20;
  work();
  const auto square = at::ones({8192, 8192}, at::TensorOptions().dtype(at::kBFloat16).device(device));
  for (int i = 0; i < 4; ++i) at::mm(square, square);
  const auto stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device);
  c10::Event begin(device.type(), c10::EventFlag::BACKEND_DEFAULT), end(device.type(), c10::EventFlag::BACKEND_DEFAULT);
  begin.record(stream);
  for (int i = 0; i < kTimes; ++i) work();
  end.record(stream);
  end.synchronize();
  return begin.elapsedTime(end) / 1000.0 / kTimes;
}

at::Tensor leaf(const at::Device& device, at::IntArrayRef shape, at::ScalarType type = at::kBFloat16) {
  return at::randn(shape, at::TensorOptions().dtype(type).device(device)).requires_grad_(true);
}

// Forward and, from gradients as they come in training, backward.
void pass(benchmark::State& state, const Tensors& inputs, double values, const Work& work) {
  const auto& kernels = *cuda::kernelsFor(inputs[0]);
  Tensors arriving;
  for (const auto& output : work(kernels, inputs)) arriving.push_back(at::randn_like(output));
  for (auto _ : state)
    state.SetIterationTime(secondsOnDevice(inputs[0].device(), [&] {
      for (const auto& input : inputs) const_cast<at::Tensor&>(input).mutable_grad() = at::Tensor();
      torch::autograd::backward(work(kernels, inputs), arriving);
    }));
  state.SetBytesProcessed(static_cast<std::int64_t>(values * 2) * state.iterations());
}

at::Tensor plainRms(const at::Tensor& x, const at::Tensor& gain) {
  const auto wide = x.to(at::kFloat);
  return (wide * (wide.pow(2).mean(-1, true) + 1e-6).rsqrt() * (gain.to(at::kFloat) + 1.0)).to(x.scalar_type());
}

void sumAndRmsNorm(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const Tensors inputs{leaf(*device, {kBatch, kLength, kWidth}), leaf(*device, {kBatch, kLength, kWidth}),
                       leaf(*device, {kWidth})};
  pass(state, inputs, 8.0 * kBatch * kLength * kWidth, [&](const auto& kernels, const Tensors& in) {
    if (fused) {
      const auto [sum, normed] = cuda::addThenRmsNorm(kernels, in[0], in[1], in[2], 1e-6);
      return Tensors{sum, normed};
    }
    const auto sum = in[0] + in[1];
    return Tensors{sum, plainRms(sum, in[2])};
  });
}

// Of the vision tower, 32 pictures of 224 pixels.
void sumAndLayerNorm(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const Tensors inputs{leaf(*device, {kPatches, kVisionWidth}), leaf(*device, {kPatches, kVisionWidth}),
                       leaf(*device, {kVisionWidth}), leaf(*device, {kVisionWidth})};
  pass(state, inputs, 8.0 * kPatches * kVisionWidth, [&](const auto& kernels, const Tensors& in) {
    if (fused) {
      const auto [sum, normed] = cuda::addThenLayerNorm(kernels, in[0], in[1], in[2], in[3], 1e-6);
      return Tensors{sum, normed};
    }
    const auto sum = in[0] + in[1];
    return Tensors{sum, at::layer_norm(sum, {kVisionWidth}, in[2], in[3], 1e-6)};
  });
}

void rope(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const Tensors inputs{leaf(*device, {kBatch, kLength, kHeads, kHead})};
  const auto table = ropeTable(0, kLength, kHead, 10000, inputs[0].options());
  pass(state, inputs, 4.0 * kBatch * kLength * kHeads * kHead, [&](const auto& kernels, const Tensors& in) {
    const auto x = in[0].transpose(1, 2);
    if (fused) return Tensors{cuda::rotated(kernels, x, table.cos, table.sin)};
    const auto turned = at::cat({x.narrow(-1, kHead / 2, kHead / 2).neg(), x.narrow(-1, 0, kHead / 2)}, -1);
    return Tensors{x * table.cos + turned * table.sin};
  });
}

// Queries of packed rows, a sixteenth of their rectangle padding, to heads and back; beside the same in single steps.
void headsOfRows(benchmark::State& state, bool inOnePass) {
  const auto* device = gpu(state);
  if (!device) return;
  const auto seen = at::ones({kBatch, kLength}, at::kLong);
  seen.narrow(1, 0, kLength / 16).zero_();
  PackedRows packed{seen.flatten().nonzero().squeeze(1).to(*device), kBatch, kLength};
  if (inOnePass) packed.turnAround();
  const Tensors inputs{leaf(*device, {packed.places.size(0), kHeads * kHead})};
  const auto table = ropeTable(0, kLength, kHead, 10000, inputs[0].options());
  pass(state, inputs, 8.0 * kBatch * kLength * kHeads * kHead, [&](const auto&, const Tensors& in) {
    return Tensors{joinHeads(splitHeads(in[0], kHeads, &packed, &table).contiguous(), &packed)};
  });
}

void geglu(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const Tensors inputs{leaf(*device, {kBatch * kLength, kInner}), leaf(*device, {kBatch * kLength, kInner})};
  pass(state, inputs, 8.0 * kBatch * kLength * kInner, [&](const auto& kernels, const Tensors& in) {
    return Tensors{fused ? cuda::geglu(kernels, in[0], in[1]) : at::gelu(in[0], "tanh") * in[1]};
  });
}

// The last projection of an MLP, with what it reads made again for its gradient.
void gatedProjection(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const Tensors inputs{leaf(*device, {kBatch * kLength, kInner}), leaf(*device, {kBatch * kLength, kInner}),
                       leaf(*device, {kWidth, kInner})};
  pass(state, inputs, 9.0 * kBatch * kLength * kInner, [&](const auto& kernels, const Tensors& in) {
    return Tensors{fused ? gatedProducts(kernels, in[0], in[1], {{in[2]}})[0]
                         : at::linear(at::gelu(in[0], "tanh") * in[1], in[2])};
  });
}

// Half of the tokens are those of pictures, which are not looked up.
void tokenTable(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const Tensors inputs{leaf(*device, {kVocabulary, kWidth}, at::kFloat)};
  const auto ids = at::randint(kVocabulary, {kBatch, kLength}, at::TensorOptions().dtype(at::kLong).device(*device));
  ids.narrow(1, 0, kLength / 2).zero_();
  pass(state, inputs, 4.0 * kVocabulary * kWidth, [&](const auto& kernels, const Tensors& in) {
    return Tensors{fused ? cuda::embedded(kernels, in[0], ids, 0, at::kBFloat16)
                         : at::embedding(in[0], ids, 0).to(at::kBFloat16)};
  });
}

void pixels(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  constexpr std::int64_t side = 224;
  const auto bytes = at::randint(256, {kBatch, side, side, 3}, at::TensorOptions().dtype(at::kByte).device(*device));
  const auto table = at::rand({3, 256}, at::TensorOptions().dtype(at::kFloat).device(*device));
  const auto& kernels = *cuda::kernelsFor(table);
  for (auto _ : state)
    state.SetIterationTime(secondsOnDevice(*device, [&] {
      if (fused)
        cuda::normalisedPixels(kernels, bytes, table, at::kBFloat16);
      else
        (bytes.permute({0, 3, 1, 2}).to(at::kFloat).contiguous() / 127.5 - 1).to(at::kBFloat16);
    }));
  state.SetBytesProcessed(bytes.numel() * 3 * state.iterations());
}

void cappedAttention(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const Tensors inputs{leaf(*device, {kBatch, kHeads, kLength, kHead}),
                       leaf(*device, {kBatch, kKvHeads, kLength, kHead}),
                       leaf(*device, {kBatch, kKvHeads, kLength, kHead})};
  const auto mask = at::zeros({kBatch, 1, kLength, kLength}, inputs[0].options().requires_grad(false));
  pass(state, inputs, 8.0 * kBatch * kHeads * kLength * kLength, [&](const auto& kernels, const Tensors& in) {
    if (fused) return Tensors{cuda::attendDense(kernels, in[0], in[1], in[2], mask, 1.0 / 16, 50)};
    const auto k = in[1].repeat_interleave(2, 1), v = in[2].repeat_interleave(2, 1);
    const auto scores = at::tanh(at::matmul(in[0], k.transpose(2, 3)) / (16 * 50.0)) * 50 + mask;
    return Tensors{at::matmul(at::softmax(scores, -1, at::kFloat).to(at::kBFloat16), v)};
  });
}

// PaliGemma at 448 pixels: eight examples of 1024 image tokens, a prompt of 36 and an answer of 40.
void prefixAttention(benchmark::State& state, bool rows) {
  const auto* device = gpu(state);
  if (!device) return;
  constexpr std::int64_t batch = 8, prefix = 1060, length = 1100;
  const Tensors inputs{leaf(*device, {batch * length, kHeads, kHead}), leaf(*device, {batch * length, 1, kHead}),
                       leaf(*device, {batch * length, 1, kHead})};
  const auto ids = at::TensorOptions().dtype(at::kLong);
  const auto seen = at::ones({batch, length}, ids), types = at::zeros({batch, length}, ids);
  types.narrow(1, prefix, length - prefix).fill_(1);
  auto where = prefixRows(seen, types).value();
  for (auto* part : where.tensors()) *part = part->to(*device);
  const auto mask = prefixMasks(seen, types, 0, {}, at::kBFloat16).full.to(*device);
  pass(state, inputs, 4.0 * batch * length * (kHeads + 1) * kHead, [&](const auto&, const Tensors& in) {
    if (rows) return Tensors{attendRows(in[0], in[1], in[2], where, 1.0 / 16)};
    const auto whole = [&](const at::Tensor& x) { return x.view({batch, length, x.size(1), kHead}).transpose(1, 2); };
    return Tensors{joinHeads(attend(whole(in[0]), whole(in[1]), whole(in[2]), mask, 1.0 / 16, 0))};
  });
}

void crossEntropyRows(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const auto raw = leaf(*device, {kTargets, kVocabulary}).detach();
  const auto targets = at::randint(kVocabulary, {kTargets}, raw.options().dtype(at::kLong));
  const auto weights = at::full({kTargets}, 1.0 / kTargets, raw.options().dtype(at::kFloat));
  for (auto _ : state) {
    auto logits = raw.clone();
    state.SetIterationTime(secondsOnDevice(*device, [&] {
      if (fused) {
        cuda::rowsCrossEntropy(*cuda::kernelsFor(raw), logits, targets, weights, 30, 0, true);
        return;
      }
      const auto bent = at::tanh(logits / 30);
      const auto gradient = at::log_softmax((bent * 30).to(at::kFloat), -1).exp();
      gradient.mul_(weights.unsqueeze(1));
      logits = gradient.to(at::kBFloat16) * (1 - bent * bent);
    }));
  }
  state.SetBytesProcessed(3 * 2 * kTargets * kVocabulary * state.iterations());
}

void adamW(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const auto options = at::TensorOptions().dtype(at::kFloat).device(*device);
  auto values = at::zeros({kTrained}, options), gradients = at::ones({kTrained}, options);
  auto first = at::zeros({kTrained}, options), second = at::zeros({kTrained}, options);
  const auto count = at::full({}, 3.0, options), factor = at::full({}, 0.5, options);
  for (auto _ : state)
    state.SetIterationTime(secondsOnDevice(*device, [&] {
      if (fused) {
        cuda::adamW(*cuda::kernelsFor(values), values, gradients, {first}, {second}, {},
                    {1e-5, 0.9, 0.999, 1e-8, 0, factor, 3});
        return;
      }
      gradients.mul_(0.5);
      at::_fused_adamw_({values}, {gradients}, {first}, {second}, {}, {count}, 1e-5, 0.9, 0.999, 0, 1e-8, false, false);
    }));
  state.SetBytesProcessed(7 * 4 * kTrained * state.iterations());
}

// Moments in bytes, beside the same in float32, of values of `type`, or with remainders beside them.
void adamWKept(benchmark::State& state, bool inBytes, at::ScalarType type, bool inHalves = false) {
  const auto* device = gpu(state);
  if (!device) return;
  const auto options = at::TensorOptions().dtype(type).device(*device);
  auto values = at::zeros({kTrained}, options), gradients = at::ones({kTrained}, options);
  const auto first = Moment::zeros(kTrained, inBytes, true, *device),
             second = Moment::zeros(kTrained, inBytes, false, *device);
  const auto remainders = inHalves ? at::zeros({kTrained}, options.dtype(at::kShort)) : at::Tensor();
  const auto factor = at::full({}, 0.5, options.dtype(at::kFloat));
  for (auto _ : state)
    state.SetIterationTime(secondsOnDevice(*device, [&] {
      cuda::adamW(*cuda::kernelsFor(values), values, gradients, first, second, {},
                  {1e-5, 0.9, 0.999, 1e-8, 0, factor, 3}, remainders);
    }));
  const auto each = 3 * values.element_size() + (inHalves ? 4 : 0) + (inBytes ? 4 : 16);
  state.SetBytesProcessed(each * kTrained * state.iterations());
}

void adamWInBytes(benchmark::State& state, bool inBytes) { adamWKept(state, inBytes, at::kFloat); }
void adamWNarrow(benchmark::State& state, bool inBytes) { adamWKept(state, inBytes, at::kBFloat16); }
void adamWHalves(benchmark::State& state, bool inBytes) { adamWKept(state, inBytes, at::kBFloat16, true); }

// Of values in halves, beside torch's of the same in float32.
void average(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const auto options = at::TensorOptions().dtype(at::kFloat).device(*device);
  auto averages = at::zeros({kTrained}, options);
  const auto values = at::ones({kTrained}, options), weight = at::full({}, 0.01, options);
  const auto upper = values.to(at::kBFloat16), lower = at::zeros({kTrained}, options.dtype(at::kShort));
  for (auto _ : state)
    state.SetIterationTime(secondsOnDevice(*device, [&] {
      if (fused)
        cuda::average(*cuda::kernelsFor(averages), averages, upper, lower, weight);
      else
        averages.lerp_(values, weight);
    }));
  state.SetBytesProcessed(3 * 4 * kTrained * state.iterations());
}

cuda::Nf4Parts packed(const at::Tensor& values) {
  auto codes = at::empty({values.numel() / 2}, values.options().dtype(at::kByte));
  auto scales = at::empty({values.numel() / 64}, values.options());
  cuda::quantiseNf4(*cuda::kernelsFor(values), values, codes, scales);
  return {codes, scales, {}, {}, 0};
}

void nf4Dequantise(benchmark::State& state, bool) {
  const auto* device = gpu(state);
  if (!device) return;
  const auto values = leaf(*device, {kInner, kWidth}, at::kFloat).detach();
  const auto& kernels = *cuda::kernelsFor(values);
  const auto parts = packed(values);
  for (auto _ : state)
    state.SetIterationTime(secondsOnDevice(
        *device, [&] { cuda::dequantiseNf4(kernels, parts, values.sizes(), at::kBFloat16, at::kBFloat16); }));
  state.SetBytesProcessed(values.numel() * 5 / 2 * state.iterations());
}

// The rows are the benchmark's argument: plain_torch unpacks the weight first, as is done for many rows.
void nf4Product(benchmark::State& state, bool fused) {
  const auto* device = gpu(state);
  if (!device) return;
  const auto values = leaf(*device, {kInner, kWidth}, at::kFloat).detach();
  const auto& kernels = *cuda::kernelsFor(values);
  const auto parts = packed(values);
  const auto x = leaf(*device, {state.range(0), kWidth}).detach();
  for (auto _ : state)
    state.SetIterationTime(secondsOnDevice(*device, [&] {
      if (fused)
        cuda::nf4Product(kernels, parts, values.sizes(), at::kBFloat16, x);
      else
        at::linear(x, cuda::dequantiseNf4(kernels, parts, values.sizes(), at::kBFloat16, at::kBFloat16));
    }));
  state.SetBytesProcessed(values.numel() * 9 / 16 * state.iterations());
}

constexpr int kIterations = 10;  // of twenty runs each

#define ROADTUNE_BOTH(name)                                                      \
  BENCHMARK_CAPTURE(name, ours, true)->UseManualTime()->Iterations(kIterations); \
  BENCHMARK_CAPTURE(name, plain_torch, false)->UseManualTime()->Iterations(kIterations)

ROADTUNE_BOTH(sumAndRmsNorm);
ROADTUNE_BOTH(sumAndLayerNorm);
ROADTUNE_BOTH(rope);
ROADTUNE_BOTH(headsOfRows);
ROADTUNE_BOTH(geglu);
ROADTUNE_BOTH(gatedProjection);
ROADTUNE_BOTH(tokenTable);
ROADTUNE_BOTH(pixels);
ROADTUNE_BOTH(cappedAttention);
ROADTUNE_BOTH(prefixAttention);
ROADTUNE_BOTH(crossEntropyRows);
ROADTUNE_BOTH(adamW);
ROADTUNE_BOTH(adamWInBytes);
ROADTUNE_BOTH(adamWNarrow);
ROADTUNE_BOTH(adamWHalves);
ROADTUNE_BOTH(average);
BENCHMARK_CAPTURE(nf4Dequantise, ours, true)->UseManualTime()->Iterations(kIterations);
BENCHMARK_CAPTURE(nf4Product, ours, true)->RangeMultiplier(2)->Range(1, 32)->UseManualTime()->Iterations(kIterations);
BENCHMARK_CAPTURE(nf4Product, plain_torch, false)
    ->RangeMultiplier(2)
    ->Range(1, 32)
    ->UseManualTime()
    ->Iterations(kIterations);

}  // namespace
}  // namespace roadtune::engine
