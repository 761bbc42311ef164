// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/sink.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace roadtune::data {

// Damage to put into the files on purpose, to see what readers make of it.
enum class Corruption {
  None,
  Truncate,       // the last record ends early
  Crc,            // one byte of a picture in the middle record is flipped
  Garbage,        // bytes that are no record lie between two records
  MissingCamera,  // every second segment lacks its FRONT_LEFT camera
};
std::optional<Corruption> corruptionFromName(const std::string& name);

// <folder>/segment-<context>_with_camera_labels.tfrecord, one per segment.
std::unique_ptr<SynthSink> makeWaymoV1Sink(const std::filesystem::path& folder,
                                           Corruption corruption = Corruption::None);

}  // namespace roadtune::data
