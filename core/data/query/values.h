// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query.h"
#include "core/data/query/query_plan.h"

#include <string>
#include <string_view>

namespace roadtune::data {

// Does a word of the data answer to what the user wrote (lower case)? Ignores case; `*` stands for anything; "train"
// means training, "sf" means location_sf, "dusk" means Dawn/Dusk.
bool wordMatches(ImageField field, std::string_view word, const std::string& wanted);

// A number against all values of a condition. `tolerance` widens equality.
bool numberMatches(double number, Compare compare, const std::vector<Operand>& values, double tolerance = 0);
bool compareNumbers(double a, Compare compare, double b, double tolerance = 0);

// "true", "yes", "1" and their opposites.
std::optional<bool> parseTruth(const std::string& word);
bool truthMatches(bool truth, Compare compare, const std::vector<Operand>& values);

}  // namespace roadtune::data
