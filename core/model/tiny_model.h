// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/model/pali_config.h"

#include <cstdint>
#include <filesystem>

namespace roadtune::model {

struct TinyModelOptions {
  Family family = Family::PaliGemma2;
  int imageSize = 112;  // a multiple of 14
  std::uint64_t seed = 0;
};

// A random PaliGemma of one to three million parameters with a tokenizer of its own, in the hub's folder layout;
// transformers loads it as it is. Equal options give equal bytes.
Status writeTinyModel(const std::filesystem::path& folder, const TinyModelOptions& options);

PaliGemmaConfig tinyConfig(const TinyModelOptions& options);

}  // namespace roadtune::model
