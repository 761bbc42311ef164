// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/ssh/prompts.h"

#include <optional>
#include <string>

namespace roadtune::cli {

// Asks at the terminal; without one every question is answered no. `trustedFingerprint` ("SHA256:...") vouches for one
// host key beforehand.
remote::Prompts terminalPrompts(const std::string& trustedFingerprint = {});

// Somebody sits at this program and can be asked.
bool hasTerminal();

// One line from the terminal; nothing where there is none.
std::optional<std::string> askAtTerminal(const std::string& question);

}  // namespace roadtune::cli
