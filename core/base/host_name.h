// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace roadtune {

std::string hostName();  // of this machine; "localhost" when it has none

}  // namespace roadtune
