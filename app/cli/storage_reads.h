// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/launch/read_probe.h"

namespace roadtune::cli {

// Object storage as a fetch reads it: pieces of objects, at random. The studio does without, and so without Arrow.
Result<remote::PieceReader> readStorage(const std::string& address);

}  // namespace roadtune::cli
