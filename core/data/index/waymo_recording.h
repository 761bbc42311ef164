// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/recording.h"
#include "core/data/records/waymo_types.h"

#include <string>
#include <vector>

namespace roadtune::data {

// A 2D label as a box of the index; foreign type numbers become "unknown".
Box boxOfLabel(const WaymoLabel& label);

// Laser labels of the frame as one camera sees them.
std::vector<Box> projectedBoxes(const WaymoFrame& frame, int camera);

// Fills in what a recording takes from a frame: time of day, place, weather, position, calibrations (from the first
// frame that has them).
void addFrameFacts(const WaymoFrame& frame, Recording& recording);

// The calibrations as a JSON object, kept beside the columns for drawing in 3D.
std::string calibrationJson(const std::vector<WaymoCalibration>& calibrations);

// Width and height that the calibration of a camera tells; 0 when it does not.
std::pair<int, int> calibratedSize(const std::vector<WaymoCalibration>& calibrations, int camera);

}  // namespace roadtune::data
