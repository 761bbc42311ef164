// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/dtype.h"
#include "core/model/safetensors.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <span>

namespace roadtune::engine {

std::optional<at::ScalarType> scalarType(model::Dtype dtype);  // none for types torch cannot compute with here
model::Dtype dtypeOf(at::ScalarType type);

// A copy of a stored tensor, in `type` when given.
at::Tensor tensorFrom(const model::TensorView& view, std::optional<at::ScalarType> type = {});

// The stored tensor where it lies, to read alone, which keeps `owner`; a copy where its numbers are not aligned.
at::Tensor lentTensor(const model::TensorView& view, std::shared_ptr<const void> owner);

// Bytes of a contiguous CPU tensor; they live as long as it does.
std::span<const std::uint8_t> bytesOf(const at::Tensor& tensor);

// Contiguous, on the CPU, without graph, in `type`.
at::Tensor plain(const at::Tensor& tensor, at::ScalarType type);

}  // namespace roadtune::engine
