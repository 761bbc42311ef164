// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/files.h"
#include "core/engine/nn/model_state.h"

namespace roadtune::engine {

// Does the model hold a head of its own although the checkpoint it came from ties it to the embedding?
bool isUntied(const ModelState& state);

// config.json of a checkpoint of this state: the base's, told what is different now (a head that is no longer the
// embedding, weights in 4 bits or no longer in 4 bits).
Status writeModelConfig(const ModelState& state, const fs::path& base, const fs::path& folder);

}  // namespace roadtune::engine
