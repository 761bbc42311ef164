// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/plan_keys.h"

#include <fmt/format.h>

namespace roadtune::data {

std::string keyOf(const BoxExpr& expr) {
  if (expr.kind == BoxExpr::Kind::Test) {
    std::string key = fmt::format("{}.{}", static_cast<int>(expr.field), static_cast<int>(expr.compare));
    // The length in front keeps words apart whatever they hold.
    for (const Operand& value : expr.values)
      key += fmt::format(" {}{}:{}", value.text.size(), value.percent ? "%" : "", value.text);
    return key;
  }
  std::string key = fmt::format("({}", static_cast<int>(expr.kind));
  for (const auto& child : expr.children) key += "," + keyOf(*child);
  return key + ")";
}

std::string keyOf(const BoxTerm& term) {
  return fmt::format("{}.{}[{}]", static_cast<int>(term.kind), static_cast<int>(term.field), keyOf(*term.boxes));
}

std::string keyOf(const SortOrder& order) {
  const std::string by =
      order.byTerm ? keyOf(order.term) : fmt::format("#{} {}", static_cast<int>(order.field), order.run);
  return by + (order.descending ? " down" : " up");
}

}  // namespace roadtune::data
