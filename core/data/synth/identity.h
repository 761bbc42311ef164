// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>

namespace roadtune::data::synth {

// Ids as the dataset writes them, from numbers: 36 characters for camera labels, 22 of base64url for laser labels.
std::string cameraLabelId(std::uint64_t seed, int object, int camera);
std::string laserLabelId(std::uint64_t seed, int object);

}  // namespace roadtune::data::synth
