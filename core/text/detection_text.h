// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/text/loc_codec.h"
#include "core/text/tokenizer.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::text {

struct LabelledBox {
  LocBox box;
  std::string label;
};

// Order of the objects in a target string.
enum class BoxOrdering {
  Shuffled,  // a permutation drawn from the seed (new for every epoch): order carries no meaning
  AsGiven,
  TopLeft,  // by y1, then x1
  LargestFirst,
};
Result<BoxOrdering> parseBoxOrdering(const std::string& name);  // shuffle, stored, top_left, area

// "detect vehicle ; pedestrian ; cyclist"
std::string detectionPrompt(const std::vector<std::string>& classes);

// "<loc..><loc..><loc..><loc..> label ; ..." without a separator at the end; empty without boxes.
std::string detectionTarget(const std::vector<LabelledBox>& boxes, double width, double height, BoxOrdering ordering,
                            std::uint64_t seed);

// One object of generated output. `firstToken` and `tokens` say which of the ids (characters, for text) it was read
// from.
struct ParsedBox {
  LocBox box;
  std::string label;
  std::size_t firstToken = 0, tokens = 0;
  bool valid = true;  // false for bins out of order (y2 <= y1 or x2 <= x1)
};

struct ParsedDetections {
  std::vector<ParsedBox> boxes;
  std::size_t malformed = 0;  // pieces that held no object: too few <loc> tokens, no label, text out of place
};

// Reads what a model produced, never failing: broken pieces are counted and skipped. Stops at <eos>.
ParsedDetections parseDetections(const Tokenizer& tokenizer, std::span<const std::int64_t> ids, double width,
                                 double height, LocDecoding decoding = LocDecoding::Over1023);
ParsedDetections parseDetections(std::string_view text, double width, double height,
                                 LocDecoding decoding = LocDecoding::Over1023);

}  // namespace roadtune::text
