// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/communicator.h"

#include <ATen/ops/empty.h>

#include <algorithm>

namespace roadtune::engine {
namespace {

class Nothing final : public Transfer {
 public:
  void wait() override {}
};

class OnlyRank final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(at::Tensor&) override {}
  void highest(at::Tensor&) override {}
  void barrier() override {}
  std::unique_ptr<Transfer> startSum(at::Tensor) override { return std::make_unique<Nothing>(); }
  std::unique_ptr<Transfer> startGather(at::Tensor whole, at::Tensor mine) override {
    whole.copy_(mine);
    return std::make_unique<Nothing>();
  }
  std::unique_ptr<Transfer> startExchange(at::Tensor incoming, at::Tensor outgoing) override {
    incoming.copy_(outgoing);
    return std::make_unique<Nothing>();
  }
  std::unique_ptr<Communicator> part(const std::string&, int, int) override { return std::make_unique<OnlyRank>(); }
};

at::Tensor tensorOf(const std::vector<double>& values) {
  auto tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::TensorOptions().dtype(at::kDouble));
  std::copy(values.begin(), values.end(), tensor.data_ptr<double>());
  return tensor;
}

std::vector<double> valuesOf(const at::Tensor& tensor) {
  const auto* data = tensor.data_ptr<double>();
  return {data, data + tensor.numel()};
}

}  // namespace

std::unique_ptr<Communicator> Communicator::alone() { return std::make_unique<OnlyRank>(); }

std::vector<double> Communicator::sum(const std::vector<double>& values) {
  if (size() == 1) return values;
  auto tensor = tensorOf(values);
  sum(tensor);
  return valuesOf(tensor);
}

std::vector<double> Communicator::highest(const std::vector<double>& values) {
  if (size() == 1) return values;
  auto tensor = tensorOf(values);
  highest(tensor);
  return valuesOf(tensor);
}

Result<std::unique_ptr<Communicator>> connectRanks(const RankEnvironment& environment,
                                                   const CommunicatorOptions& options) {
  if (environment.worldSize == 1) return std::unique_ptr<Communicator>(std::make_unique<OnlyRank>());
  return connectGloo(environment, options);
}

}  // namespace roadtune::engine
