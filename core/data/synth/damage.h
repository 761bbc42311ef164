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
  Truncate,       // a recording (v2: its camera_box table; COCO and JSONL: the annotations) ends early
  Crc,            // one byte of a picture is flipped
  Garbage,        // bytes that mean nothing lie in the middle of a recording, table or annotation file
  MissingCamera,  // every second segment lacks its FRONT_LEFT camera
  MissingFile,    // v2: no camera_box table; COCO and JSONL: a picture is gone
};
std::optional<Corruption> corruptionFromName(const std::string& name);
inline constexpr const char* kCorruptionNames = "truncate, crc, garbage, missing-camera, missing-file";

// Writes through `inner`, and damages what it wrote below `folder` once it is finished.
std::unique_ptr<SynthSink> makeDamagedSink(std::unique_ptr<SynthSink> inner, const std::filesystem::path& folder,
                                           Corruption corruption);

}  // namespace roadtune::data
