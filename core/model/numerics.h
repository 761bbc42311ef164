// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace roadtune::model {

// Tokens up to which kernels work out whole matrices of scores although no cap asks for them.
constexpr int kLongestRectangle = 512;

// Whose arithmetic is reproduced. The reference implementations differ for PaliGemma 2; for PaliGemma 1 they agree
// up to rounding.
struct Numerics {
  enum class Window { Off, PrefixExempt, Everywhere };

  std::string profile = "hf-5.23";
  bool attentionCap = true;              // tanh soft cap of attention scores, where the configuration has one
  bool finalCap = true;                  // tanh soft cap of logits, where the configuration has one
  Window window = Window::PrefixExempt;  // does the sliding window also cut the bidirectional prefix
  bool foldImageScale = false;           // image features divided by sqrt(H), then everything multiplied by it
  int firstPosition = 1;                 // rotary position of the first token
  bool perExampleLoss = false;           // every example weighs the same, instead of every token
};

const std::vector<std::string>& profileNames();

// "hf-5.23" (also the empty name), "hf-5-sdpa", "hf-4.51-eager", "big-vision".
Result<Numerics> numericsOf(std::string_view profile);

}  // namespace roadtune::model
