// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/ssh/prompts.h"

#include <optional>
#include <string>
#include <vector>

namespace roadtune::cli {

// Asks at the terminal; without one every question is answered no. `trusted` are fingerprints ("SHA256:...") of host
// keys that somebody vouches for beforehand.
remote::Prompts terminalPrompts(const std::vector<std::string>& trusted = {});

// Somebody sits at this program and can be asked.
bool hasTerminal();

// One line from the terminal; nothing where there is none.
std::optional<std::string> askAtTerminal(const std::string& question);

}  // namespace roadtune::cli
