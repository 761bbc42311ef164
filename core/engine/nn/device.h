// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>

namespace roadtune::engine {

// "cpu" is always there; "cuda:N" needs the GPU plugin and a driver, and is refused as missing otherwise.
Status requireDevice(const std::string& device);

}  // namespace roadtune::engine
