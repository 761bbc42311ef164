// SPDX-License-Identifier: GPL-3.0-or-later
// Fused operations with their gradients against plain torch in float64.
#include "core/engine/attention/mask.h"
#include "core/engine/attention/prefix_rows.h"
#include "core/engine/cuda/fused_attention.h"
#include "core/engine/cuda/fused_embedding.h"
#include "core/engine/cuda/fused_heads.h"
#include "core/engine/cuda/fused_norm.h"
#include "core/engine/cuda/fused_points.h"
#include "core/engine/nn/ops.h"
#include "core/engine/nn/products.h"
#include "tests/gpu/kernel_case.h"

#include <ATen/ops/embedding.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tril.h>

#include <array>

namespace roadtune::engine {
namespace {

using Tensors = Operation::Tensors;

at::Tensor plainRms(const at::Tensor& x, const at::Tensor& gain) {
  return x * (x.pow(2).mean(-1, true) + 1e-6).rsqrt() * (1 + gain);
}

class Fused : public KernelTest {
 protected:
  void compareRotated(std::int64_t width, bool rows) const;
  void compareRows(const std::array<std::int64_t, 3>& suffixes) const;
};

TEST_P(Fused, RmsNorm) {
  // 24 columns fill whole packs, 21 do not.
  for (const std::int64_t width : {24, 21})
    compare({{at::randn({5, 3, width}), at::randn({width})},
             [](const auto& kernels, const Tensors& in) { return Tensors{cuda::rmsNorm(kernels, in[0], in[1], 1e-6)}; },
             [](const Tensors& in) { return Tensors{plainRms(in[0], in[1])}; }});
}

TEST_P(Fused, RmsNormOfManyRowsSumsTheGainInParts) {
  compare({{at::randn({700, 16}), at::randn({16})},
           [](const auto& kernels, const Tensors& in) { return Tensors{cuda::rmsNorm(kernels, in[0], in[1], 1e-6)}; },
           [](const Tensors& in) { return Tensors{plainRms(in[0], in[1])}; }});
}

TEST_P(Fused, SumAndItsRmsNorm) {
  compare({{at::randn({6, 32}), at::randn({6, 32}), at::randn({32})},
           [](const auto& kernels, const Tensors& in) {
             const auto [sum, normed] = cuda::addThenRmsNorm(kernels, in[0], in[1], in[2], 1e-6);
             return Tensors{sum, normed};
           },
           [](const Tensors& in) {
             const auto sum = in[0] + in[1];
             return Tensors{sum, plainRms(sum, in[2])};
           }});
}

TEST_P(Fused, LayerNorm) {
  compare({{at::randn({7, 40}), at::randn({40}), at::randn({40})},
           [](const auto& kernels, const Tensors& in) {
             return Tensors{cuda::layerNorm(kernels, in[0], in[1], in[2], 1e-6)};
           },
           [](const Tensors& in) { return Tensors{at::layer_norm(in[0], {40}, in[1], in[2], 1e-6)}; }});
}

TEST_P(Fused, SumAndItsLayerNormOfManyRows) {
  compare({{at::randn({300, 24}), at::randn({300, 24}), at::randn({24}), at::randn({24})},
           [](const auto& kernels, const Tensors& in) {
             const auto [sum, normed] = cuda::addThenLayerNorm(kernels, in[0], in[1], in[2], in[3], 1e-6);
             return Tensors{sum, normed};
           },
           [](const Tensors& in) {
             const auto sum = in[0] + in[1];
             return Tensors{sum, at::layer_norm(sum, {24}, in[2], in[3], 1e-6)};
           }});
}

// Blocks of several warps, the last of them not full, and of the most threads there are.
TEST_P(Fused, NormsOfTheWidthsOfModels) {
  for (const std::int64_t width : {1152, 2304, 9000}) {
    compare({{at::randn({3, width}), at::randn({3, width}), at::randn({width})},
             [](const auto& kernels, const Tensors& in) {
               const auto [sum, normed] = cuda::addThenRmsNorm(kernels, in[0], in[1], in[2], 1e-6);
               return Tensors{sum, normed};
             },
             [](const Tensors& in) {
               return Tensors{in[0] + in[1], plainRms(in[0] + in[1], in[2])};
             }});
    compare({{at::randn({3, width}), at::randn({width}), at::randn({width})},
             [](const auto& kernels, const Tensors& in) {
               return Tensors{cuda::layerNorm(kernels, in[0], in[1], in[2], 1e-6)};
             },
             [width](const Tensors& in) { return Tensors{at::layer_norm(in[0], {width}, in[1], in[2], 1e-6)}; }});
  }
}

// What goes on beside its norm: the gradients of both arrive as one.
TEST_P(Fused, NormsBesideTheirInput) {
  compare({{at::randn({5, 21}), at::randn({21})},
           [](const auto& kernels, const Tensors& in) {
             const auto [x, normed] = cuda::besideRmsNorm(kernels, in[0], in[1], 1e-6);
             return Tensors{x, normed};
           },
           [](const Tensors& in) {
             return Tensors{in[0], plainRms(in[0], in[1])};
           }});
  compare({{at::randn({5, 16}), at::randn({16}), at::randn({16})},
           [](const auto& kernels, const Tensors& in) {
             const auto [x, normed] = cuda::besideLayerNorm(kernels, in[0], in[1], in[2], 1e-6);
             return Tensors{x, normed};
           },
           [](const Tensors& in) {
             return Tensors{in[0], at::layer_norm(in[0], {16}, in[1], in[2], 1e-6)};
           }});
}

// Heads of 8 values are not whole packs in bfloat16, those of 32 are. `rows`: the same as packed rows.
void Fused::compareRotated(std::int64_t width, bool rows) const {
  const auto angle = at::randn({9, width / 2});
  const auto both = at::cat({angle, angle}, -1);
  const std::int64_t batch = rows ? 1 : 2;
  compare({{at::randn({batch, 9, 3, width})},
           [&](const auto& kernels, const Tensors& in) {
             const auto table = [&](const at::Tensor& x) { return here(x.to(in[0].scalar_type())); };
             const auto cosine = table(both.cos()), sine = table(both.sin());
             const auto turned = rows ? cuda::rotatedRows(kernels, in[0].squeeze(0), cosine, sine).unsqueeze(0)
                                      : cuda::rotated(kernels, in[0].transpose(1, 2), cosine, sine);
             EXPECT_TRUE(turned.is_contiguous());
             return Tensors{rows ? turned.transpose(1, 2) : turned};
           },
           [&](const Tensors& in) {
             const auto table = [&](const at::Tensor& x) { return x.to(type()).to(at::kDouble); };
             const auto x = in[0].transpose(1, 2);
             const auto turned = at::cat({x.narrow(-1, width / 2, width / 2).neg(), x.narrow(-1, 0, width / 2)}, -1);
             return Tensors{x * table(both.cos()) + turned * table(both.sin())};
           }});
}

TEST_P(Fused, RotaryEmbeddingOfATransposedProjection) {
  compareRotated(8, false);
  compareRotated(32, false);
}

TEST_P(Fused, RotaryEmbeddingOfPackedRows) {
  compareRotated(8, true);
  compareRotated(256, true);
}

TEST_P(Fused, Geglu) {
  for (const std::int64_t width : {16, 11})
    compare({{at::randn({4, width}) * 3, at::randn({4, width})},
             [](const auto& kernels, const Tensors& in) { return Tensors{cuda::geglu(kernels, in[0], in[1])}; },
             [](const Tensors& in) { return Tensors{at::gelu(in[0], "tanh") * in[1]}; }});
}

TEST_P(Fused, GegluBeforeAProjection) {
  compare(
      {{at::randn({2, 3, 16}), at::randn({2, 3, 16}), at::randn({5, 16})},
       [](const auto& kernels, const Tensors& in) { return Tensors{gatedProducts(kernels, in[0], in[1], {{in[2]}})}; },
       [](const Tensors& in) { return Tensors{at::linear(at::gelu(in[0], "tanh") * in[1], in[2])}; }});
}

TEST_P(Fused, GeluBeforeAProjection) {
  for (const std::int64_t width : {16, 11})
    compare({{at::randn({2, 3, width}) * 3, at::randn({5, width}), at::randn({5})},
             [](const auto& kernels, const Tensors& in) {
               return Tensors{gatedProducts(kernels, in[0], {}, {{.weight = in[1], .bias = in[2]}})};
             },
             [](const Tensors& in) { return Tensors{at::linear(at::gelu(in[0], "tanh"), in[1], in[2])}; }});
}

// Left padding in the first example, a prefix of four, causal behind it.
at::Tensor prefixMask() {
  auto allowed = at::tril(at::ones({2, 1, 7, 7}));
  allowed.slice(2, 0, 4).slice(3, 0, 4).fill_(1);
  allowed[0].slice(2, 0, 2).fill_(0);
  return at::zeros({2, 1, 7, 7}).masked_fill_(allowed.eq(0), -3.3895313892515355e38);
}

TEST_P(Fused, AttentionWithCapMaskAndSharedKeys) {
  const auto mask = prefixMask();
  for (const double cap : {50.0, 1.5, 0.0})
    compare({{at::randn({2, 4, 7, 8}), at::randn({2, 2, 7, 8}), at::randn({2, 2, 7, 8})},
             [&](const auto& kernels, const Tensors& in) {
               return Tensors{
                   cuda::attendDense(kernels, in[0], in[1], in[2], here(mask.to(in[0].scalar_type())), 0.35, cap)};
             },
             [&](const Tensors& in) {
               const auto k = in[1].repeat_interleave(2, 1), v = in[2].repeat_interleave(2, 1);
               auto scores = at::matmul(in[0], k.transpose(2, 3)) * 0.35;
               if (cap > 0) scores = at::tanh(scores / cap) * cap;
               const auto weights = at::softmax(scores + mask.to(at::kDouble), -1);
               return Tensors{at::matmul(weights, v)};
             }});
}

// More keys than a warp has lanes; some lanes see nothing but what is masked.
TEST_P(Fused, AttentionOverManyKeys) {
  auto mask = at::zeros({1, 1, 5, 75});
  mask.narrow(3, 0, 41).fill_(-3.3895313892515355e38);
  compare({{at::randn({1, 2, 5, 8}), at::randn({1, 1, 75, 8}), at::randn({1, 1, 75, 8})},
           [&](const auto& kernels, const Tensors& in) {
             return Tensors{
                 cuda::attendDense(kernels, in[0], in[1], in[2], here(mask.to(in[0].scalar_type())), 0.35, 2.0)};
           },
           [&](const Tensors& in) {
             const auto k = in[1].repeat_interleave(2, 1), v = in[2].repeat_interleave(2, 1);
             const auto scores = at::tanh(at::matmul(in[0], k.transpose(2, 3)) * 0.35 / 2.0) * 2.0;
             const auto weights = at::softmax(scores + mask.to(at::kDouble), -1);
             return Tensors{at::matmul(weights, v)};
           }});
}

// Three rows of ten, of which so many are one at the end.
at::Tensor lastOnes(const std::array<std::int64_t, 3>& counts) {
  auto table = at::zeros({3, 10}, at::TensorOptions().dtype(at::kLong));
  for (std::size_t i = 0; i < 3; ++i) table[static_cast<std::int64_t>(i)].narrow(0, 10 - counts[i], counts[i]).fill_(1);
  return table;
}

// Three examples of 9, 6 and 4 rows, of which the last are suffixes. Gaps are padding.
void Fused::compareRows(const std::array<std::int64_t, 3>& suffixes) const {
  const auto seen = lastOnes({9, 6, 4}), types = lastOnes(suffixes);
  auto rows = prefixRows(seen, types).value();
  for (auto* part : rows.tensors()) *part = here(*part);
  const auto places = seen.flatten().nonzero().squeeze(1);
  const auto mask = prefixMasks(seen, types, 0, {}, at::kFloat).full.to(at::kDouble);
  compare({{at::randn({19, 4, 16}), at::randn({19, 2, 16}), at::randn({19, 2, 16})},
           [&](const auto&, const Tensors& in) { return Tensors{attendRows(in[0], in[1], in[2], rows, 0.25)}; },
           [&](const Tensors& in) {
             const auto spread = [&](const at::Tensor& x) {
               const auto whole = at::zeros({30, x.size(1), 16}, x.options()).index_copy(0, places, x);
               return whole.view({3, 10, x.size(1), 16}).transpose(1, 2).repeat_interleave(4 / x.size(1), 1);
             };
             const auto scores = at::matmul(spread(in[0]), spread(in[1]).transpose(2, 3)) * 0.25 + mask;
             const auto mixed = at::matmul(at::softmax(scores, -1), spread(in[2])).transpose(1, 2);
             return Tensors{mixed.reshape({30, 4, 16}).index_select(0, places)};
           }});
}

TEST_P(Fused, AttentionOfRowsWithoutAMask) {
  if (device().is_cuda() && type() == at::kFloat) GTEST_SKIP() << "torch's flash kernels take 16 bits alone";
  compareRows({3, 5, 0});
  compareRows({1, 1, 0});
  compareRows({4, 6, 2});  // one without a prefix
  compareRows({0, 0, 0});
  compareRows({9, 6, 4});
}

TEST_P(Fused, EmbeddingAddsUpRepeatedRowsAndLeavesPaddingOut) {
  const auto ids = at::randint(9, {3, 5}, at::TensorOptions().dtype(at::kLong));
  const auto table = at::randn({9, 6});
  auto leaf = here(table).detach().requires_grad_(true), plain = table.to(at::kDouble).requires_grad_(true);
  const auto weights = at::randn({3, 5, 6});
  const auto ours = cuda::embedded(kernels(), leaf, here(ids), 0, type());
  const auto expected = at::embedding(plain, ids, 0);
  expectNear(ours, expected, "rows", tolerance());
  (ours * here(weights).to(type())).sum().backward();
  (expected * weights.to(type()).to(at::kDouble)).sum().backward();
  expectNear(leaf.grad(), plain.grad(), "gradient", tolerance());
}

TEST_P(Fused, EmbeddingOfRowsWiderThanABlock) {
  const auto ids = at::randint(4, {40}, at::TensorOptions().dtype(at::kLong));
  auto leaf = here(at::randn({5, 700})).detach().requires_grad_(true);
  leaf.mutable_grad() = at::ones_like(leaf);  // of an earlier pass
  const auto weights = at::randn({40, 700}).to(type());
  const auto ours = cuda::embedded(kernels(), leaf, here(ids), 4, type(), true);
  (ours * here(weights)).sum().backward();
  const auto expected = at::ones({5, 700}, at::kDouble).index_add(0, ids, weights.to(at::kDouble));
  expectNear(leaf.grad(), expected, "gradient added to what was there", tolerance());
}

TEST_P(Fused, EmbeddingOfATableInSixteenBits) {
  const auto ids = at::randint(4, {40}, at::TensorOptions().dtype(at::kLong));
  const auto leaf = here(at::randn({5, 70}).to(at::kBFloat16)).detach().requires_grad_(true);
  const auto weights = at::randn({40, 70}).to(at::kBFloat16);
  const auto exact = at::zeros({5, 70}, at::kDouble).index_add(0, ids, weights.to(at::kDouble));
  (cuda::embedded(kernels(), leaf, here(ids), 4, at::kBFloat16) * here(weights)).sum().backward();
  const auto once = leaf.grad().to(at::kCPU).clone();
  EXPECT_EQ(once.scalar_type(), at::kBFloat16);
  expectNear(once, exact, "gradient rounded once", 4e-3);
  (cuda::embedded(kernels(), leaf, here(ids), 4, at::kBFloat16, true) * here(weights)).sum().backward();
  expectNear(leaf.grad(), once.to(at::kDouble) + exact, "gradient added to what was there", 8e-3);
}

TEST_P(Fused, DropoutKeepsTheExpectationAndRepeatsItself) {
  const auto x = here(at::ones({40, 500}).to(type())).requires_grad_(true);
  const auto once = cuda::dropped(kernels(), x, 0.25, 7), again = cuda::dropped(kernels(), x, 0.25, 7);
  EXPECT_TRUE(once.equal(again));
  EXPECT_FALSE(once.equal(cuda::dropped(kernels(), x, 0.25, 8)));
  EXPECT_NEAR(once.eq(0).to(at::kFloat).mean().item<double>(), 0.25, 0.02);
  EXPECT_NEAR(once.to(at::kFloat).mean().item<double>(), 1.0, 0.03);
  once.sum().backward();
  EXPECT_TRUE(x.grad().equal(once.detach()));
}

TEST_P(Fused, DropoutOfPackedRowsIsThatOfTheirPlaces) {
  const auto whole = at::randn({30, 24}).to(type());
  const auto places = at::arange(12, at::kLong) * 2 + 3;
  const auto rows = here(whole.index_select(0, places)).requires_grad_(true);
  const auto packed = cuda::dropped(kernels(), rows, 0.5, 7, here(places));
  const auto expected = cuda::dropped(kernels(), here(whole), 0.5, 7).index_select(0, here(places));
  EXPECT_TRUE(packed.equal(expected));
  packed.sum().backward();
  EXPECT_TRUE(rows.grad().eq(0).equal(expected.eq(0)));
}

TEST_P(Fused, PixelsGoThroughTheTableIntoPlanes) {
  const auto pixels = at::randint(256, {2, 5, 5, 3}, at::TensorOptions().dtype(at::kByte));
  const auto table = at::randn({3, 256});
  const auto ours = cuda::normalisedPixels(kernels(), here(pixels), here(table), type());
  auto expected = at::empty({2, 3, 5, 5});
  for (std::int64_t c = 0; c < 3; ++c)
    expected.select(1, c).copy_(table[c].index_select(0, pixels.select(3, c).flatten().to(at::kLong)).view({2, 5, 5}));
  EXPECT_TRUE(ours.to(at::kCPU).equal(expected.to(type())));
}

ROADTUNE_EVERYWHERE(Fused);

}  // namespace
}  // namespace roadtune::engine
