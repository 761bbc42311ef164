// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/planned_memory.h"

#include <algorithm>

namespace roadtune::engine {
namespace {

int perSample(std::int64_t count, std::int64_t samples) { return static_cast<int>((count + samples - 1) / samples); }

}  // namespace

model::StepShape stepShapeOf(const Session& session) {
  auto shape = model::stepShapeFrom(session.config);
  shape.onGpu = session.device.is_cuda();
  shape.ranks = session.ranks->size();
  if (shape.sharingRanks > 0) shape.sharingRanks = session.environment.localWorldSize;
  return shape;
}

std::uint64_t plannedBytes(const Session& session, std::int64_t samples, std::int64_t tokens, std::int64_t targets) {
  auto shape = stepShapeOf(session);
  const int pictures = shape.imagesPerSample * session.model->tree.config.imageTokens();
  shape.batch = static_cast<int>(samples);
  shape.textTokens = std::max(1, perSample(tokens, samples) - pictures);
  shape.labelTokens = std::min(shape.textTokens, perSample(targets, samples));
  return model::planMemory(session.model->tree, shape).total();
}

}  // namespace roadtune::engine
