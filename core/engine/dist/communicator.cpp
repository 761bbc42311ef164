// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/communicator.h"

#include <ATen/ops/empty.h>

#include <algorithm>

namespace roadtune::engine {
namespace {

class OnlyRank final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(at::Tensor&) override {}
  void highest(at::Tensor&) override {}
  void barrier() override {}
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
