// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/cuda/kernels.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace roadtune::engine {

// Where a kernel test computes: the rows' arithmetic in plain loops, the plugin's launches and blocks on the CPU (see
// blocks.h), or a GPU.
enum class Place { Host, Blocks, Gpu };
const char* nameOf(Place place);
inline void PrintTo(Place place, std::ostream* out) { *out << nameOf(place); }

// A fused operation beside plain torch: `ours` gets leaves in the type under test on the device, `plain` the same
// numbers as float64 on the CPU; both return outputs, whose weighted sum is differentiated.
struct Operation {
  using Tensors = std::vector<at::Tensor>;
  Tensors inputs;  // float32 on the CPU
  std::function<Tensors(const cuda::KernelTable&, const Tensors&)> ours;
  std::function<Tensors(const Tensors&)> plain;
};

// Every kernel test runs in float32 and bfloat16 in all places; without a GPU that one is skipped with the reason.
class KernelTest : public ::testing::TestWithParam<std::tuple<Place, at::ScalarType>> {
 protected:
  void SetUp() override;
  void TearDown() override { cuda::useOnHost(nullptr); }

  at::Device device() const { return m_device; }
  at::ScalarType type() const { return std::get<1>(GetParam()); }
  const cuda::KernelTable& kernels() const;
  at::Tensor here(const at::Tensor& tensor) const { return tensor.to(m_device); }

  // Outputs and gradients of all inputs agree, as a share of their largest value.
  void compare(const Operation& operation) const;
  void expectNear(const at::Tensor& ours, const at::Tensor& plain, const char* what, double tolerance) const;
  double tolerance() const { return type() == at::kFloat ? 2e-5 : 2e-2; }

 private:
  at::Device m_device = at::kCPU;
};

std::string kernelTestName(const ::testing::TestParamInfo<std::tuple<Place, at::ScalarType>>& info);

#define ROADTUNE_EVERYWHERE(Suite)                                                                       \
  INSTANTIATE_TEST_SUITE_P(Kernels, Suite,                                                               \
                           ::testing::Combine(::testing::Values(Place::Host, Place::Blocks, Place::Gpu), \
                                              ::testing::Values(at::kFloat, at::kBFloat16)),             \
                           kernelTestName)

}  // namespace roadtune::engine
