// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_facts.h"

#include <string>
#include <utility>
#include <vector>

namespace roadtune::runs {

// A proof for people: "Training step", then what is worth telling as label and value ("loss", "7.652"). Labels and
// titles come from a fixed list, so that a window may show them in another language.
struct ProofWords {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
};

ProofWords wordsOf(const ProofInfo& proof);
std::vector<std::string> allProofWords();  // every title and label there is

// "loss 7.652, gradient norm 3.1".
std::string sentence(const ProofWords& words);

}  // namespace roadtune::runs
