// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace roadtune::remote {

// One word for a POSIX shell, whatever it holds. The only place where a remote command line is put together.
std::string shellQuote(const std::string& word);
std::string shellCommand(const std::vector<std::string>& words);

}  // namespace roadtune::remote
