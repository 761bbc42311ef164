// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/App.hpp>

#include <cstdint>
#include <limits>

namespace roadtune::cli {

// Checks of options that say in plain words what they take.
CLI::Validator wholeNumber();
CLI::Validator wholeNumberFrom(int least, std::int64_t most = std::numeric_limits<std::int64_t>::max());
CLI::Validator finiteNumber();
CLI::Validator notNegative();
CLI::Validator positiveNumber();

}  // namespace roadtune::cli
