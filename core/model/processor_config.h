// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace roadtune::model {

// How pictures become pixel_values, from processor_config.json (transformers 5) or preprocessor_config.json.
struct ProcessorConfig {
  int imageSize = 224;
  int imageTokens = 256;
  bool resize = true, rescale = true, normalize = true;
  bool convertRgb = true;  // puts transparent pictures on white; off: callers drop the alpha channel themselves
  double rescaleFactor = 1.0 / 255.0;
  std::array<double, 3> mean{0.5, 0.5, 0.5}, deviation{0.5, 0.5, 0.5};

  static Result<ProcessorConfig> fromFolder(const std::filesystem::path& folder);
};

// Interleaved 8-bit RGB of side x side pixels -> 3 planes of float32, with the arithmetic of the reference's PIL
// backend (float64 product rounded to float32, then float32). `out` holds 3 * pixels values.
void normalizePixels(const ProcessorConfig& config, std::span<const std::uint8_t> rgb, std::span<float> out);

}  // namespace roadtune::model
