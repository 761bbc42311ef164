// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/config/run_config.h"

namespace roadtune::remote {

// Data in object storage is fetched on the machine that starts a run. For ranks elsewhere this refuses it and says how
// they get it.
Status refuseStorageSources(const config::RunConfig& config);

}  // namespace roadtune::remote
