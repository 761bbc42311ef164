// SPDX-License-Identifier: GPL-3.0-or-later
// A pass over the tokens alone, beside the same pass over the padded rectangle.
#include "core/engine/attention/attention.h"
#include "core/engine/cuda/host_kernels.h"
#include "core/engine/cuda/kernels.h"
#include "core/engine/loader/pack.h"
#include "tests/unit/engine/uneven_passes.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

namespace roadtune::engine {
namespace {

// Without padding, all of it prefix, and nothing to be learned.
Batch fullBatch(std::int64_t examples, std::int64_t length) {
  const auto options = at::TensorOptions().dtype(at::kLong);
  Batch batch;
  batch.inputIds = at::ones({examples, length}, options);
  batch.attentionMask = at::ones({examples, length}, options);
  batch.tokenTypeIds = at::zeros({examples, length}, options);
  batch.labels = at::full({examples, length}, -100, options);
  return batch;
}

struct Comparison {
  bool right = false;  // padded there instead of on the left
  double tolerance = 2e-4;
  bool examples = false;  // for attention without a mask
};

void expectEqual(const Passed& packed, const Passed& padded, double tolerance) {
  EXPECT_NEAR(packed.loss, padded.loss, tolerance * 0.1);
  ASSERT_EQ(packed.gradients.size(), padded.gradients.size());
  for (const auto& [name, gradient] : padded.gradients) {
    const double off = (packed.gradients.at(name) - gradient).norm().item<double>();
    EXPECT_LE(off, tolerance * gradient.norm().item<double>() + 1e-7) << name;
  }
}

void expectEqualPasses(const ModelState& model, const ForwardContext& context, const Comparison& how = {}) {
  const auto [right, tolerance, examples] = how;
  auto batch = unevenBatch(model, right);
  for (const bool collected : {false, true}) {  // by autograd, and added where they are collected
    batch.places = at::Tensor();
    batch.prefixes = {};
    batch.asked = {};
    const auto padded = passOver(model, batch, context, collected);
    if (examples)
      packExamples(batch);
    else
      packTokens(batch);
    ASSERT_EQ(batch.prefixes.defined(), examples);
    ASSERT_EQ(batch.places.numel(), 31 + 45 + 24 + 39);
    expectEqual(passOver(model, batch, context, collected), padded, tolerance);
    askForLabels(batch);
    ASSERT_EQ(batch.asked.rows.numel(), 4 * (kAnswer + 1));
    ASSERT_EQ(batch.asked.prefixes.defined(), examples);
    expectEqual(passOver(model, batch, context, collected), padded, tolerance);
  }
}

TEST(PackedRows, SpreadAndGatheredAreEachOthersGradient) {
  const PackedRows packed{at::arange(6, at::kLong) * 2 + 1, 3, 4};
  const auto rows = at::randn({6, 5}).requires_grad_(true);
  const auto whole = packed.spread(rows);
  EXPECT_EQ(whole.sizes().vec(), (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_TRUE(at::equal(packed.gathered(whole), rows));
  EXPECT_EQ(whole.reshape({12, 5}).index_select(0, packed.places - 1).abs().sum().item<double>(), 0);
  const auto weights = at::randn({3, 4, 5});
  (whole * weights).sum().backward();
  EXPECT_TRUE(at::equal(rows.grad(), packed.gathered(weights)));
  const auto rectangle = at::randn({3, 4, 5}).requires_grad_(true);
  const auto factors = at::randn({6, 5});
  (packed.gathered(rectangle) * factors).sum().backward();
  EXPECT_TRUE(at::equal(rectangle.grad(), packed.spread(factors)));
}

TEST(Packed, FullTrainingOfBothFamilies) {
  model::Method method;
  method.type = model::FinetuningType::Full;
  for (const auto family : {model::Family::PaliGemma1, model::Family::PaliGemma2}) {
    const auto model = unevenModel(family, method);
    for (const bool right : {false, true}) expectEqualPasses(*model, seeded(), {right});
  }
}

TEST(Packed, DropoutTakesTheSameValues) {
  const auto model = unevenModel(model::Family::PaliGemma2, withAdapters(0.3));
  auto context = seeded();
  expectEqualPasses(*model, context);
  auto other = context;
  other.dropoutSeed = 12;
  const auto batch = unevenBatch(*model);
  EXPECT_NE(passOver(*model, batch, context, false).loss, passOver(*model, batch, other, false).loss);
}

TEST(Packed, RecomputedBlocks) {
  const auto model = unevenModel(model::Family::PaliGemma2, withAdapters(0.2));
  auto context = seeded();
  context.recomputedUnits = kAllUnits;
  expectEqualPasses(*model, context);
}

TEST(Packed, QuantisedWeightsAndNoiseOnEmbeddings) {
  auto method = withAdapters(0.2);
  method.load4bit = method.doubleQuant = true;
  const auto model = unevenModel(model::Family::PaliGemma1, method);
  ASSERT_FALSE(model->quantised.empty());
  auto context = seeded();
  context.neftuneAlpha = 5;
  expectEqualPasses(*model, context);
}

TEST(Packed, InBfloat16) {
  const auto model = unevenModel(model::Family::PaliGemma2, withAdapters(0.0));
  auto context = seeded();
  context.type = at::kBFloat16;
  context.adaptersInComputeType = true;
  expectEqualPasses(*model, context, {.tolerance = 5e-2});
}

TEST(Packed, ThroughTheKernelsArithmetic) {
  const auto model = unevenModel(model::Family::PaliGemma2, withAdapters(0.0));
  cuda::useOnHost(&cuda::hostKernels());
  expectEqualPasses(*model, seeded());
  cuda::useOnHost(nullptr);
}

TEST(PackedExamples, NeedNoMask) {
  auto sdpa = seeded();
  sdpa.numerics = model::numericsOf("hf-5-sdpa").value();
  for (const auto family : {model::Family::PaliGemma1, model::Family::PaliGemma2}) {
    const auto model = unevenModel(family, withAdapters(0.0));
    for (const bool recomputed : {false, true}) {
      auto context = sdpa;
      context.recomputedUnits = recomputed ? kAllUnits : 0;
      for (const bool right : {false, true}) expectEqualPasses(*model, context, {right, 2e-4, true});
    }
    auto batch = unevenBatch(*model);
    packExamples(batch);
    const double loss = passOver(*model, batch, sdpa, false).loss;
    batch.attentionMask.zero_();
    batch.tokenTypeIds.fill_(1);
    EXPECT_EQ(passOver(*model, batch, sdpa, false).loss, loss) << "nobody looks at masks";
  }
}

TEST(PackedExamples, AWindowThatHidesSomethingStillDoes) {
  for (const auto* profile : {"hf-5-sdpa", "hf-4.51-eager"}) {
    auto context = seeded();
    context.numerics = model::numericsOf(profile).value();
    context.numerics.attentionCap = false;
    const auto model = unevenModel(model::Family::PaliGemma2, withAdapters(0.0), 20);
    expectEqualPasses(*model, context, {.examples = true});
  }
}

TEST(PackedExamples, InBfloat16ThroughTheKernelsArithmetic) {
  const auto model = unevenModel(model::Family::PaliGemma1, withAdapters(0.0));
  auto context = seeded();
  context.type = at::kBFloat16;
  context.adaptersInComputeType = true;
  cuda::useOnHost(&cuda::hostKernels());
  expectEqualPasses(*model, context, {.tolerance = 5e-2, .examples = true});
  cuda::useOnHost(nullptr);
}

TEST(PackedExamples, PrefixesAndSuffixesLieAmongTheRows) {
  auto batch = fullBatch(3, 5);
  batch.attentionMask[0].narrow(0, 0, 2).fill_(0);  // two of padding, two of prefix, one of suffix
  batch.tokenTypeIds[0][4] = 1;
  batch.tokenTypeIds[1].narrow(0, 1, 4).fill_(1);  // one and four; the third has no suffix
  packExamples(batch);
  const auto list = [](const at::Tensor& x) {
    const auto wide = x.to(at::kLong);
    return std::vector<std::int64_t>(wide.data_ptr<std::int64_t>(), wide.data_ptr<std::int64_t>() + wide.numel());
  };
  using Numbers = std::vector<std::int64_t>;
  const auto& rows = batch.prefixes;
  EXPECT_EQ(list(batch.places), (Numbers{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(list(rows.suffix), (Numbers{2, 4, 5, 6, 7}));
  EXPECT_EQ(list(rows.parts.ends), (Numbers{0, 2, 3, 4, 8, 13, 13}));
  EXPECT_EQ(list(rows.suffixes.ends), (Numbers{0, 1, 5, 5}));
  EXPECT_EQ(list(rows.wholes.ends), (Numbers{0, 3, 8, 13}));
  EXPECT_EQ(rows.parts.longest, 5);
  EXPECT_EQ(rows.suffixes.longest, 4);
  EXPECT_EQ(rows.wholes.longest, 5);

  batch.places = at::Tensor();
  batch.prefixes = {};
  batch.tokenTypeIds[1][4] = 0;  // a prefix behind a suffix
  packExamples(batch);
  EXPECT_FALSE(batch.prefixes.defined());
  EXPECT_EQ(batch.places.numel(), 13) << "padding is left out all the same";
}

TEST(PackedExamples, OnAShortRectangleWithLittlePaddingAttentionIsOfTheRectangle) {
  auto batch = fullBatch(2, 100);
  packExamples(batch);
  const auto packed = [&](std::int64_t tokens) {
    return PackedRows{batch.places.narrow(0, 0, tokens), 2, 100, batch.prefixes};
  };
  EXPECT_FALSE(takesRows(packed(200), 100));
  EXPECT_TRUE(takesRows(packed(200), 99)) << "too long";
  EXPECT_FALSE(takesRows(packed(180), 100));
  EXPECT_TRUE(takesRows(packed(150), 100)) << "a quarter is padding: nearly half of the scores";
  EXPECT_FALSE(takesRows(PackedRows{batch.places, 2, 100}, 0)) << "nobody knows where prefixes lie";
}

TEST(AskedRows, BeginWhereTheFirstLabelIsPredicted) {
  auto batch = fullBatch(3, 6);
  batch.attentionMask[0].narrow(0, 0, 2).fill_(0);
  batch.tokenTypeIds[0].narrow(0, 4, 2).fill_(1);
  batch.labels[0].narrow(0, 4, 2).fill_(7);
  batch.tokenTypeIds[1][5] = 1;
  batch.labels[1][5] = 8;  // of the third nothing is learned
  packExamples(batch);
  askForLabels(batch);
  const auto list = [](const at::Tensor& x) {
    return std::vector<std::int64_t>(x.data_ptr<std::int64_t>(), x.data_ptr<std::int64_t>() + x.numel());
  };
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(list(batch.asked.rows), (Numbers{1, 2, 3, 8, 9}));
  EXPECT_EQ(list(batch.asked.whole), (Numbers{3, 4, 5, 10, 11}));
  EXPECT_EQ(list(batch.asked.places), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(batch.asked.longest, 3);
  ASSERT_TRUE(batch.asked.prefixes.defined());
  EXPECT_EQ(list(batch.asked.prefixes.suffixes.ends.to(at::kLong)), (Numbers{0, 3, 5, 5}));
  EXPECT_EQ(list(labelRows(batch.labels, batch.places, batch.asked.rows).positions), (Numbers{0, 1, 3}));
  batch.asked = {};
  batch.labels[1][3] = 8;  // inside the prefix, where a row sees what comes behind it
  askForLabels(batch);
  EXPECT_EQ(list(batch.asked.rows), (Numbers{1, 2, 3, 6, 7, 8, 9}));
  EXPECT_FALSE(batch.asked.prefixes.defined());
  batch.asked = {};
  batch.labels.fill_(9);
  askForLabels(batch);
  EXPECT_FALSE(batch.asked.defined()) << "nearly all rows";
}

TEST(PackedExamples, WhereScoresHaveNoCapAndKernelsAreAtHand) {
  const model::TextConfig plain;
  auto capped = plain;
  capped.attentionSoftcap = 50;
  const auto takes = [](const model::TextConfig& text, const char* profile, at::ScalarType type) {
    return takesRows(text, model::numericsOf(profile).value(), type, at::kCPU);
  };
  EXPECT_FALSE(takes(plain, "", at::kFloat)) << "nobody asked for kernels";
  cuda::useOnHost(&cuda::hostKernels());
  EXPECT_TRUE(takes(plain, "", at::kFloat));
  EXPECT_TRUE(takes(plain, "", at::kBFloat16));
  EXPECT_FALSE(takes(capped, "", at::kBFloat16));
  EXPECT_TRUE(takes(capped, "hf-5-sdpa", at::kBFloat16));
  cuda::useOnHost(nullptr);
}

TEST(Packed, OnlyWhereItPaysAndLosesNothing) {
  auto batch = fullBatch(4, 100);
  packTokens(batch, 0);
  EXPECT_FALSE(batch.places.defined());  // no padding at all
  batch.attentionMask[1].narrow(0, 0, 3).fill_(0);
  packTokens(batch);
  EXPECT_FALSE(batch.places.defined());  // three places of four hundred
  batch.attentionMask[2].narrow(0, 0, 30).fill_(0);
  batch.labels[2][30] = 7;  // the first token would be learned from padding
  packTokens(batch);
  EXPECT_FALSE(batch.places.defined());
  batch.labels[2][30] = -100;
  packTokens(batch);
  EXPECT_EQ(batch.places.numel(), 400 - 33);
}

}  // namespace
}  // namespace roadtune::engine
