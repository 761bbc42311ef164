// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>

namespace roadtune::engine {

struct ModelState;

// Creates the adapters that the module tree asks for, with first values as Method::init says and DoRA magnitudes from
// the weights. The same seed gives every module the same values whatever else is adapted.
Status attachAdapters(ModelState& state, std::uint64_t seed);

// adapter_model.safetensors of a folder, in any of the adapter layouts, into the adapters already attached (and into
// the trained copies of modules_to_save). A tensor too many or too few is an error that names it.
Status readAdapterWeights(ModelState& state, const std::filesystem::path& folder);

}  // namespace roadtune::engine
