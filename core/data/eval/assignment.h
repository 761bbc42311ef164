// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <vector>

namespace roadtune::data {

// Pairs rows with columns so that the sum of the weights is largest (Hungarian method). weights[row * columns + column]
// is not negative; a pair of weight 0 counts as no pair. Answers the column of each row, or -1.
std::vector<int> heaviestAssignment(const std::vector<std::int64_t>& weights, std::size_t rows, std::size_t columns);

}  // namespace roadtune::data
