// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/synth/sink.h"

#include <filesystem>
#include <memory>

namespace roadtune::data {

// <folder>/segment-<context>_with_camera_labels.tfrecord, one per segment.
std::unique_ptr<SynthSink> makeWaymoV1Sink(const std::filesystem::path& folder);

}  // namespace roadtune::data
