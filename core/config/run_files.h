// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string_view>

namespace roadtune::config {

// Is that what a run writes into its output_dir, and a start that overwrites it removes? Everything else there is the
// user's.
bool isRunFile(std::string_view name);

}  // namespace roadtune::config
