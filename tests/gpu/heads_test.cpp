// SPDX-License-Identifier: GPL-3.0-or-later
// Heads of packed rows in their rectangle and back, beside the same in single steps.
#include "core/engine/attention/heads.h"

#include "core/engine/cuda/fused_heads.h"
#include "core/engine/nn/ops.h"
#include "tests/gpu/kernel_case.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/randn.h>

namespace roadtune::engine {
namespace {

constexpr std::int64_t kBatch = 3, kLength = 7, kHeads = 2, kWidth = 24;

class Heads : public KernelTest {
 protected:
  // Padding on both sides, and an example without any.
  PackedRows packedOn(const at::Device& device) const {
    auto seen = at::ones({kBatch, kLength}, at::kLong);
    seen[0].narrow(0, 0, 3).zero_();
    seen[2].narrow(0, 5, 2).zero_();
    PackedRows packed{seen.flatten().nonzero().squeeze(1).to(device), kBatch, kLength};
    packed.turnAround();
    return packed;
  }

  static at::Tensor plainlyTurned(const at::Tensor& x, const RopeTable& table) {
    const auto half = x.size(-1) / 2;
    return x * table.cos + at::cat({x.narrow(-1, half, half).neg(), x.narrow(-1, 0, half)}, -1) * table.sin;
  }

  void compareWith(const RopeTable* table) {
    const auto packed = packedOn(device()), plain = packedOn(at::kCPU);
    const cuda::RowPlaces places{packed.places, packed.rowAt, kBatch, kLength};
    const auto start = at::randn({plain.places.size(0), kHeads * kWidth}).to(type());
    const auto reference = start.to(at::kDouble).requires_grad_(true), rows = here(start).detach().requires_grad_(true);
    const auto heads = cuda::headsOfRows(kernels(), rows, places, kHeads, table ? here(table->cos) : at::Tensor(),
                                         table ? here(table->sin) : at::Tensor());
    auto expected = plain.spread(reference).view({kBatch, kLength, kHeads, kWidth}).transpose(1, 2);
    if (table) expected = plainlyTurned(expected, {table->cos.to(at::kDouble), table->sin.to(at::kDouble)});
    expectNear(heads, expected, "heads", tolerance());
    EXPECT_TRUE(heads.is_contiguous());
    const auto back = cuda::rowsOfHeads(kernels(), heads * heads, places);
    const auto expectedBack = plain.gathered((expected * expected).transpose(1, 2).reshape({kBatch, kLength, -1}));
    expectNear(back, expectedBack, "rows", tolerance());
    const auto weights = at::randn(start.sizes()).to(type());
    (back * here(weights)).sum().backward();
    (expectedBack * weights.to(at::kDouble)).sum().backward();
    expectNear(rows.grad(), reference.grad(), "gradient", tolerance());
  }
};

TEST_P(Heads, OfRowsAndBack) { compareWith(nullptr); }

TEST_P(Heads, OfRowsRotatedByTheirPlace) {
  const auto table = ropeTable(1, kLength, kWidth, 100, at::TensorOptions().dtype(type()));
  compareWith(&table);
}

TEST_P(Heads, SplitAndJoinedAreTheSameWithoutTheMoves) {
  auto moved = packedOn(device()), stepwise = moved;
  stepwise.rowAt.reset();
  const auto table = ropeTable(1, kLength, kWidth, 100, at::TensorOptions().dtype(type()).device(device()));
  const auto rows = here(at::randn({moved.places.size(0), kHeads * kWidth}).to(type()));
  const auto one = splitHeads(rows, kHeads, &moved, &table), other = splitHeads(rows, kHeads, &stepwise, &table);
  expectNear(one, other.to(at::kCPU, at::kDouble), "heads", tolerance());
  EXPECT_TRUE(joinHeads(splitHeads(rows, kHeads, &moved), &moved).equal(rows));
  EXPECT_TRUE(joinHeads(splitHeads(rows, kHeads, &stepwise), &stepwise).equal(rows));
}

ROADTUNE_EVERYWHERE(Heads);

}  // namespace
}  // namespace roadtune::engine
