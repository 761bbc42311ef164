// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

namespace roadtune::cli {

// Prints what this machine brings for training: processor, memory, disk, torch, driver, cards. Exit code 3 when the
// trainer cannot start here.
Result<int> doctorHere(bool json);

}  // namespace roadtune::cli
