// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

namespace roadtune::cli {

// "21:40" of this machine's clock, with the date before it when that is not today's.
std::string clockWords(double wallSeconds);

// "  as of      21:40; `roadtune attach RUN` brings it up to date", for a run elsewhere that nobody follows; else
// empty.
std::string asOfLine(const std::optional<double>& asOf, const std::string& run);

}  // namespace roadtune::cli
