// SPDX-License-Identifier: GPL-3.0-or-later
// Noise on embeddings is drawn where they are: the same again for the same seed, and nothing is copied to the device.
#include "core/engine/nn/neftune.h"

#include "core/engine/nn/device.h"
#include "core/engine/nn/ops.h"

#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

namespace roadtune::engine {
namespace {

bool s_copied = false;

std::unique_ptr<at::ObserverContext> watchCopies(const at::RecordFunction& f) {
  s_copied |= std::string(f.name()) == "aten::copy_";
  return nullptr;
}

ForwardContext noisy(std::uint64_t seed) {
  ForwardContext context;
  context.neftuneAlpha = 5;
  context.dropoutSeed = seed;
  return context;
}

TEST(NeftuneOnDevice, IsDrawnThereAndComesAgain) {
  const auto device = openDevice("cuda:0");
  if (!device.ok()) GTEST_SKIP() << device.error().text();
  const auto embedded = at::zeros({2, 300, 64}, at::TensorOptions().device(device.value()));
  s_copied = false;
  const auto handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback(watchCopies).scopes({at::RecordScope::FUNCTION}));
  const auto noise = neftuneNoise(2, 300, embedded, noisy(42));
  at::removeCallback(handle);
  EXPECT_FALSE(s_copied);
  EXPECT_EQ(noise.device(), embedded.device());
  EXPECT_TRUE(noise.equal(neftuneNoise(2, 300, embedded, noisy(42)))) << "a run that goes on gets the same again";
  EXPECT_FALSE(noise.equal(neftuneNoise(2, 300, embedded, noisy(43))));
  const double bound = 5 / std::sqrt(300.0 * 64.0);
  EXPECT_LE(noise.abs().max().item<double>(), bound * (1 + 1e-6));
  EXPECT_NEAR(noise.mean().item<double>(), 0, 0.02 * bound);
  EXPECT_NEAR(noise.std().item<double>(), bound / std::sqrt(3.0), 0.02 * bound);
}

}  // namespace
}  // namespace roadtune::engine
