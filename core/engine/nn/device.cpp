// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/device.h"

#include "core/base/text.h"

namespace roadtune::engine {

Status requireDevice(const std::string& device) {
  if (device.empty() || device == "cpu" || device == "auto") return {};
  if (device == "cuda" || startsWith(device, "cuda:"))
    return missing("this build computes on the CPU; the device " + device + " is not available", "device",
                   "use device cpu");
  return badInput("unknown device '" + device + "'", "device", "use cpu or cuda:N");
}

}  // namespace roadtune::engine
