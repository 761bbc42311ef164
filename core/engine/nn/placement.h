// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/nn/model_state.h"

namespace roadtune::engine {

// Moves every weight, packed ones too, to the device; comes before an optimizer takes them over.
void placeOn(const at::Device& device, ModelState& state);

// Copies on the device; what is there already, and what is undefined, is passed on. To a GPU the copy goes through
// pinned memory and is only queued: nobody waits for it.
at::Tensor placed(const at::Tensor& tensor, const at::Device& device);
// A copy on the host, complete once the device has done what it was asked before; that itself of what is there.
at::Tensor onTheWayToHost(const at::Tensor& tensor);

LabelRows placed(const LabelRows& rows, const at::Device& device);

// From now on, batches go to a GPU from memory as it is, which the host waits for.
void leavePageable();

// The batch in pinned memory for a GPU, as it is for the CPU. Places of image tokens are looked up here, so that the
// pass itself never has to wait. For loader threads.
Batch pinned(const Batch& batch, const at::Device& device, std::int64_t imageTokenId);

// The batch of a pass; pinned on the way where it is not yet. Pictures that came as bytes become numbers there.
Batch placed(const Batch& batch, const at::Device& device, std::int64_t imageTokenId);

}  // namespace roadtune::engine
