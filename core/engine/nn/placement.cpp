// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/placement.h"

#include "core/engine/cuda/fused_points.h"
#include "core/engine/nn/ops.h"
#include "core/engine/quant/nf4_codec.h"

#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace roadtune::engine {
namespace {

std::vector<at::Tensor*> tensorsOf(Batch& batch) {
  std::vector<at::Tensor*> all{&batch.inputIds,     &batch.attentionMask, &batch.tokenTypeIds, &batch.labels,
                               &batch.pixelValues,  &batch.pixelTable,    &batch.places,       &batch.imagePositions,
                               &batch.keptFeatures, &batch.newRows};
  const auto ofRows = batch.prefixes.tensors();
  all.insert(all.end(), ofRows.begin(), ofRows.end());
  const auto ofAsked = batch.asked.tensors();
  all.insert(all.end(), ofAsked.begin(), ofAsked.end());
  return all;
}

at::Tensor scaleMap() {
  const auto& map = signedByteMap();
  auto tensor = at::empty({static_cast<std::int64_t>(map.size())}, at::TensorOptions().dtype(at::kFloat));
  std::copy(map.begin(), map.end(), tensor.data_ptr<float>());
  return tensor;
}

std::atomic<bool> pageable = false;

}  // namespace

void leavePageable() { pageable = true; }

at::Tensor placed(const at::Tensor& tensor, const at::Device& device) {
  if (!tensor.defined() || tensor.device() == device) return tensor;
  if (device.is_cpu() || !tensor.is_cpu()) return tensor.to(device);
  if (pageable) return tensor.to(device);
  return tensor.pin_memory().to(device, tensor.scalar_type(), /*non_blocking=*/true);
}

at::Tensor onTheWayToHost(const at::Tensor& tensor) {
  if (tensor.is_cpu()) return tensor;
  const auto options = at::TensorOptions().dtype(tensor.scalar_type()).pinned_memory(true);
  return at::empty(tensor.sizes(), options).copy_(tensor, /*non_blocking=*/true);
}

LabelRows placed(const LabelRows& rows, const at::Device& device) {
  return {placed(rows.positions, device), placed(rows.targets, device), placed(rows.examples, device)};
}

Batch pinned(const Batch& batch, const at::Device& device, std::int64_t imageTokenId) {
  if (device.is_cpu()) return batch;
  const c10::DeviceGuard guard(device);
  Batch result = batch;
  if (batch.pixelValues.defined() || batch.keptFeatures.defined())
    result.imagePositions =
        (batch.places.defined() ? batch.inputIds.flatten().index_select(0, batch.places) : batch.inputIds.flatten())
            .eq(imageTokenId)
            .nonzero()
            .squeeze(1);
  for (auto* tensor : tensorsOf(result))
    if (tensor->defined() && !pageable) *tensor = tensor->pin_memory();
  return result;
}

Batch placed(const Batch& batch, const at::Device& device, std::int64_t imageTokenId) {
  auto result = batch;
  if (!device.is_cpu() && batch.inputIds.is_cpu()) {
    if (!batch.imagePositions.defined()) result = pinned(batch, device, imageTokenId);
    for (auto* tensor : tensorsOf(result)) *tensor = placed(*tensor, device);
  }
  // Bytes come only where there are kernels for them.
  if (result.pixelTable.defined())
    result.pixelValues =
        cuda::normalisedPixels(*cuda::kernelsFor(result.pixelTable), result.pixelValues, result.pixelTable, at::kFloat);
  result.pixelTable = at::Tensor();
  return result;
}

void placeOn(const at::Device& device, ModelState& state) {
  if (device.is_cpu()) return;
  const c10::NoGradGuard noGrad;
  for (const auto& parameter : state.parameters.all())
    if (parameter->value.defined())
      parameter->value = parameter->value.detach().to(device).requires_grad_(parameter->trainable);
  const auto map = scaleMap().to(device);
  for (const auto& [name, weight] : state.quantised) {
    weight->codes = weight->codes.to(device);
    weight->absmax = weight->absmax.to(device);
    if (!weight->doubleQuant) continue;
    weight->nestedAbsmax = weight->nestedAbsmax.to(device);
    weight->byteMap = map;
  }
}

}  // namespace roadtune::engine
