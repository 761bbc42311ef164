// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernel_case.h"

#include "core/engine/cuda/host_kernels.h"
#include "core/engine/cuda/plugin/launches.h"
#include "core/engine/nn/device.h"
#include "core/engine/nn/ops.h"
#include "tests/gpu/blocks/blocks.h"

#include <ATen/Context.h>
#include <ATen/ops/randn.h>

namespace roadtune::engine {
namespace {

at::Tensor weighted(const Operation::Tensors& outputs, const Operation::Tensors& weights) {
  at::Tensor total;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto part = (outputs[i] * weights[i].to(outputs[i].options())).to(at::kDouble).sum();
    total = total.defined() ? total + part : part;
  }
  return total;
}

// The plugin must be there before torch first looks for devices: before any test.
const Result<at::Device>& firstGpu() {
  static const auto opened = openDevice("cuda:0");
  return opened;
}

struct AtOnce {
  template <auto launch, class Args>
  static int one(const Args& args) {
    return launch(args, nullptr);
  }
};
constexpr cuda::KernelTable kBlockKernels = cuda::kernelsOf<AtOnce>(blocks::errorText);

class DeviceFirst : public ::testing::Environment {
  void SetUp() override { (void)firstGpu().ok(); }
};
const auto* const kDeviceFirst = ::testing::AddGlobalTestEnvironment(new DeviceFirst);

}  // namespace

const char* nameOf(Place place) { return place == Place::Host ? "Host" : place == Place::Blocks ? "Blocks" : "Gpu"; }

std::string kernelTestName(const ::testing::TestParamInfo<std::tuple<Place, at::ScalarType>>& info) {
  return std::string(nameOf(std::get<0>(info.param))) +
         (std::get<1>(info.param) == at::kFloat ? "Float32" : "Bfloat16");
}

void KernelTest::SetUp() {
  at::manual_seed(17);
  const auto place = std::get<0>(GetParam());
  if (place != Place::Gpu) {
    cuda::useOnHost(place == Place::Host ? &cuda::hostKernels() : &kBlockKernels);
    return;
  }
  if (!firstGpu().ok()) GTEST_SKIP() << firstGpu().error().text();
  m_device = firstGpu().value();
}

const cuda::KernelTable& KernelTest::kernels() const {
  return *cuda::kernelsFor(at::empty({0}, at::TensorOptions().dtype(type()).device(m_device)));
}

void KernelTest::expectNear(const at::Tensor& ours, const at::Tensor& plain, const char* what, double tolerance) const {
  ASSERT_TRUE(ours.defined()) << what;
  ASSERT_EQ(ours.sizes(), plain.sizes()) << what;
  const auto wide = ours.detach().to(at::kCPU).to(at::kDouble), expected = plain.detach().to(at::kDouble);
  const double scale = expected.abs().max().item<double>();
  EXPECT_LE((wide - expected).abs().max().item<double>(), tolerance * std::max(scale, 1e-3)) << what;
}

void KernelTest::compare(const Operation& operation) const {
  Operation::Tensors narrow, wide;
  for (const auto& input : operation.inputs) {
    const auto value = input.to(type());  // both start from the same numbers
    narrow.push_back(here(value).detach().requires_grad_(true));
    wide.push_back(value.to(at::kDouble).detach().requires_grad_(true));
  }
  const auto expected = operation.plain(wide);
  const auto got = operation.ours(kernels(), narrow);
  ASSERT_EQ(got.size(), expected.size());
  Operation::Tensors weights;
  for (const auto& output : expected) weights.push_back(at::randn(output.sizes()).to(type()).to(at::kDouble));
  for (std::size_t i = 0; i < got.size(); ++i) expectNear(got[i], expected[i], "output", tolerance());
  weighted(expected, weights).backward();
  weighted(got, weights).backward();
  for (std::size_t i = 0; i < narrow.size(); ++i)
    expectNear(narrow[i].grad(), wide[i].grad(), ("gradient of input " + std::to_string(i)).c_str(), tolerance());
}

}  // namespace roadtune::engine
