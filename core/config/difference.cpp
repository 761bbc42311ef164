// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/difference.h"

namespace roadtune::config {

std::vector<Difference> differences(const RunConfig& first, const RunConfig& second) {
  std::vector<Difference> list;
  for (const auto& field : schema()) {
    const Value& a = first.value(field.name);
    const Value& b = second.value(field.name);
    if (!(a == b)) list.push_back({field.name, a, b});
  }
  return list;
}

}  // namespace roadtune::config
