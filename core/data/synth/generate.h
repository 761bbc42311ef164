// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/data/synth/sink.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roadtune::data {

// What to generate. Equal options give equal bytes on every machine, whatever `jobs` is.
struct SynthOptions {
  int segments = 1;
  int frames = 20;  // at 10 Hz
  std::uint64_t seed = 1;
  double scale = 1;  // of 1920x1280 and 1920x886
  std::vector<Camera> cameras = {kIndexedCameras.begin(), kIndexedCameras.end()};
  std::string timeOfDay;  // "Day", "Dawn/Dusk" or "Night"; empty: by chance
  std::string weather;    // "sunny" or "rain"; empty: by chance
  int quality = 90;
  int jobs = 0;  // threads; 0: one for each core
};

struct SynthCounts {
  std::uint64_t segments = 0, frames = 0, images = 0, boxes = 0;
};

// The name of a segment; it starts with kSynthContextPrefix and goes on like a real one.
std::string synthContextName(const SynthOptions& options, int segment);

Result<SynthCounts> generateSynth(const SynthOptions& options, SynthSink& sink, ProgressSink& progress);

}  // namespace roadtune::data
