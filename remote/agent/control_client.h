// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace roadtune::remote {

// One line to a ControlServer and its reply, without newlines. `who` is what an error calls it ("the agent").
Result<std::string> askSocket(const std::filesystem::path& socket, const std::string& line, const std::string& who);

}  // namespace roadtune::remote
