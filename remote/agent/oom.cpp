// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/oom.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <cstdlib>

namespace roadtune::remote {

long oomKills() {
  const auto content = readFile("/proc/vmstat");
  if (!content.ok()) return 0;
  for (const auto& line : split(content.value(), '\n'))
    if (startsWith(line, "oom_kill ")) return std::strtol(line.c_str() + 9, nullptr, 10);
  return 0;
}

}  // namespace roadtune::remote
