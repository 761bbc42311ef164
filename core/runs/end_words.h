// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace roadtune::runs {

// "rank 1 failed first: why" and "rank 1: why", as an agent and the diagnosis write them, for people: with several
// processes "process 2 of 4 failed first: why", with one the why alone. Anything else stays as it is.
std::string plainEnd(std::string_view message, int processes);

// The same words with the machine that they are of: "rank 1 on gpu2 failed first: why". What a rank said itself gets
// its number; what an agent says of its machine stands behind its name.
std::string placedEnd(std::string_view message, int rank, std::string_view machine);

}  // namespace roadtune::runs
