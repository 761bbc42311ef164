// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/records/waymo_types.h"

#include <cstdint>
#include <span>

namespace roadtune::data {

struct WaymoReadOptions {
  bool laserLabels = true;
  bool projectedLabels = true;
  bool calibrations = true;
};

// Walks one serialised waymo.open_dataset.Frame without copying pictures or touching lidar bytes. `fileOffset` is where
// the payload starts in its file, so that image offsets are offsets in the file. Packed and unpacked numbers, unknown
// fields and repeated sub-messages are accepted; bytes that are no Frame at all give an error with the offset.
Result<WaymoFrame> readWaymoFrame(std::span<const std::uint8_t> payload, std::uint64_t fileOffset = 0,
                                  const WaymoReadOptions& options = {});

}  // namespace roadtune::data
