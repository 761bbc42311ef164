// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/formats/parquet_file.h"
#include "core/data/records/waymo_types.h"

#include <string>

namespace roadtune::data {

// The key columns, named alike in every component.
inline const std::string kKeySegment = "key.segment_context_name";
inline const std::string kKeyTime = "key.frame_timestamp_micros";
inline const std::string kKeyCamera = "key.camera_name";
inline const std::string kKeyCameraObject = "key.camera_object_id";
inline const std::string kKeyLaserObject = "key.laser_object_id";

// The columns of the components that are read and written.
inline const std::string kImage = "[CameraImageComponent]";
inline const std::string kCameraBox = "[CameraBoxComponent]";
inline const std::string kProjectedBox = "[ProjectedLiDARBoxComponent]";
inline const std::string kLidarBox = "[LiDARBoxComponent]";
inline const std::string kCalibration = "[CameraCalibrationComponent]";
inline const std::string kStats = "[StatsComponent]";
inline const std::string kVehiclePose = "[VehiclePoseComponent]";

// What is wrong with a file of which so many rows have no time.
Error withoutTime(std::size_t rows, const std::filesystem::path& file);

// Early files store cameras and types by name, released ones by number.
int cameraNumber(const ParquetColumn& column, std::int64_t row);
int labelNumber(const ParquetColumn& column, std::int64_t row);

}  // namespace roadtune::data
