// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/sink.h"

#include <filesystem>
#include <memory>

namespace roadtune::data {

// Pictures go to <folder>/images/<context>_<timestamp>_<CAMERA>.jpg; names in the files are relative to <folder>.
// <folder>/annotations.json: COCO, with segment, timestamp_micros and camera per image.
std::unique_ptr<SynthSink> makeCocoSink(const std::filesystem::path& folder);

// <folder>/data.jsonl: {"image", "prefix", "suffix"} with the boxes as <loc> tokens, largest first.
std::unique_ptr<SynthSink> makeJsonlSink(const std::filesystem::path& folder);

}  // namespace roadtune::data
