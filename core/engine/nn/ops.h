// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tensor operators of the engine's own modules. Per-operator headers keep a source at a few seconds of compile
// time; the umbrella headers of torch cost ten times as much.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace roadtune::engine {

// [..., width] as [rows, width].
inline at::Tensor flatRows(const at::Tensor& x) { return x.reshape({-1, x.size(-1)}); }

// On the CPU, of its own memory.
template <class T>
at::Tensor asTensor(const std::vector<T>& values) {
  auto tensor = at::empty({static_cast<std::int64_t>(values.size())}, c10::CppTypeToScalarType<T>::value);
  std::copy(values.begin(), values.end(), tensor.template data_ptr<T>());
  return tensor;
}

}  // namespace roadtune::engine
