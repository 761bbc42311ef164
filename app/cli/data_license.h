// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>

namespace roadtune::cli {

// Whether somebody accepts Waymo's licence, or did so before; asks on a terminal. `flag`: the command line says so.
// `where`: the data, for the error.
Status acceptWaymo(bool flag, const std::string& where = {});

}  // namespace roadtune::cli
