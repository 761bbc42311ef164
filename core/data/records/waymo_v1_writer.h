// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/records/waymo_types.h"

#include <functional>
#include <string>
#include <string_view>

namespace roadtune::data {

// Serialises a frame as a waymo.open_dataset.Frame, fields in the order of their numbers. `jpegOf` hands out the bytes
// of each entry of frame.images; offset and size of the entries are not used.
std::string writeWaymoFrame(const WaymoFrame& frame, const std::function<std::string_view(const WaymoImage&)>& jpegOf);

}  // namespace roadtune::data
