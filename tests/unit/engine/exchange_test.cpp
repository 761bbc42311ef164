// SPDX-License-Identifier: GPL-3.0-or-later
// When the ranks of a run speak, seen through a network that only keeps a record.
#include "core/engine/dist/distribution.h"
#include "core/engine/nn/ops.h"
#include "core/model/tiny_model.h"
#include "tests/support/temp_folder.h"

#include <ATen/ops/ones_like.h>
#include <gtest/gtest.h>

namespace roadtune::engine {
namespace {

struct Done final : Transfer {
  void wait() override {}
};

// One of two ranks; the other has the same to say.
class Recorder final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }
  void sum(at::Tensor& tensor) override { tensor.mul_(2); }
  void highest(at::Tensor&) override {}
  void barrier() override {}
  std::unique_ptr<Transfer> startSum(at::Tensor tensor) override {
    sums.push_back(tensor.numel());
    return std::make_unique<Done>();
  }
  std::unique_ptr<Transfer> startGather(at::Tensor whole, at::Tensor mine) override {
    ++gathers;
    for (int rank = 0; rank < 2; ++rank) whole.narrow(0, rank * mine.numel(), mine.numel()).copy_(mine);
    return std::make_unique<Done>();
  }
  std::unique_ptr<Transfer> startExchange(at::Tensor incoming, at::Tensor outgoing) override {
    ++exchanges;
    incoming.copy_(outgoing);
    return std::make_unique<Done>();
  }
  std::unique_ptr<Communicator> part(const std::string&, int, int) override { return std::make_unique<Recorder>(); }

  std::vector<std::int64_t> sums;
  int gathers = 0, exchanges = 0;
};

std::unique_ptr<ModelState> tinyModel(const std::filesystem::path& folder) {
  EXPECT_TRUE(model::writeTinyModel(folder, {.imageSize = 56}).ok());
  LoadOptions options;
  options.folder = folder;
  options.method.type = model::FinetuningType::Full;
  options.trainableType = at::kFloat;
  return std::move(loadModel(options)).value();
}

at::Tensor lossOf(const ModelState& model, BlockGate* gate) {
  const auto ids = at::arange(10, 22, at::kLong).unsqueeze(0);
  Batch batch{ids, at::ones_like(ids), at::zeros_like(ids), ids.clone(), {}};
  ForwardContext context;
  context.training = true;
  context.gate = gate;
  const auto rows = labelRows(batch.labels);
  return model.network->loss(model.network->hidden(batch, context), rows, context).loss;
}

TEST(Replicas, SendBucketsWhileTheBackwardPassIsRunning) {
  const testing::TempFolder folder;
  const auto model = tinyModel(folder.path());
  Recorder ranks;
  DistributionOptions options;
  options.bucketBytes = 200'000;
  const auto distribution = distribute(*model, ranks, options).value();
  const auto groups = distribution->groups();

  auto loss = lossOf(*model, nullptr);
  distribution->beginBackward(false);  // one of several passes
  loss.backward();
  distribution->endBackward();
  EXPECT_TRUE(ranks.sums.empty());

  loss = lossOf(*model, nullptr);
  distribution->beginBackward(true);
  loss.backward();
  distribution->endBackward();
  const auto meanwhile = ranks.sums.size();
  EXPECT_GE(meanwhile, 3u);  // text blocks; the tower got no gradient from a batch without pictures

  distribution->endStep();
  EXPECT_GT(ranks.sums.size(), meanwhile);
  std::int64_t sent = 0, held = 0;
  for (const auto count : ranks.sums) sent += count;
  for (const auto& group : groups) held += group.gradients.numel();
  EXPECT_EQ(sent, held);  // everything, once
}

TEST(BlockSharding, TheOrderDoesNotDependOnTheData) {
  const testing::TempFolder folder;
  const auto model = tinyModel(folder.path());
  Recorder ranks;
  DistributionOptions options;
  options.shards = true;
  const auto distribution = distribute(*model, ranks, options).value();
  const auto norm = [&] {
    double squares = 0;
    for (const auto& group : distribution->groups()) squares += group.gradients.norm().item<double>();
    return squares;
  };
  lossOf(*model, distribution->gate());  // gathers as begun; the pass after it starts anew
  const auto loss = lossOf(*model, distribution->gate());
  distribution->beginBackward(true);
  loss.backward();
  distribution->endBackward();
  EXPECT_GT(norm(), 0);
  distribution->idlePass(true);  // takes part without data, adds nothing
  distribution->endStep();
  EXPECT_GT(norm(), 0);
}

}  // namespace
}  // namespace roadtune::engine
