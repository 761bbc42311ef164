// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <CLI/App.hpp>

namespace roadtune::cli {

// Checks of options that say in plain words what they take.
CLI::Validator wholeNumber();
CLI::Validator wholeNumberFrom(int least);
CLI::Validator finiteNumber();
CLI::Validator notNegative();

}  // namespace roadtune::cli
