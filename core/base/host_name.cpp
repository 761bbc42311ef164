// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/host_name.h"

#include <array>
#include <unistd.h>

namespace roadtune {

std::string hostName() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  return name.data();
}

}  // namespace roadtune
