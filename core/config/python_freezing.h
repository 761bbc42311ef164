// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace roadtune::config {

// A line of a Python program that freezes weights or lets them learn.
struct Freezing {
  std::size_t offset = 0;          // of requires_grad
  std::string line;                // as written
  std::vector<std::string> parts;  // vision_tower, multi_modal_projector, language_model; empty: who knows which
  bool frozen = false;
};

// In their order: `model.vision_tower.requires_grad_(False)`, and what stands in a loop over the parameters of the
// model or of a part of it, also below `if "vision_tower" in name`.
std::vector<Freezing> freezingsIn(const std::string& code);

}  // namespace roadtune::config
