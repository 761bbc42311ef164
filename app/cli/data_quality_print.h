// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/quality/label_quality.h"
#include "core/data/quality/near_duplicates.h"
#include "core/data/quality/stationary.h"
#include "core/data/quality/token_lengths.h"

#include <optional>
#include <string>

namespace roadtune::cli {

struct QualityReport {
  data::LabelQuality labels;
  data::StationaryFrames stationary;
  std::optional<data::NearDuplicates> duplicates;  // when pictures were read
  std::optional<data::TokenLengths> tokens;        // when there is a tokenizer
};

std::string qualityText(const data::Index& index, const QualityReport& report);
std::string qualityJson(const data::Index& index, const QualityReport& report);

}  // namespace roadtune::cli
