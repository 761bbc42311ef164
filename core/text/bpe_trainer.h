// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace roadtune::text {

// Learns byte-pair merges until every word of the list is one piece: the most frequent pair first, ties in the order
// of the alphabet. Deterministic.
std::vector<std::pair<std::string, std::string>> trainMerges(const std::vector<std::string>& words);

}  // namespace roadtune::text
