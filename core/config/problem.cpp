// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/problem.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::config {

std::string Problem::text() const {
  std::string result = where;
  if (line > 0) result += fmt::format(":{}:{}", line, column);
  if (!result.empty()) result += ": ";
  if (severity == Severity::Warning) result += "warning: ";
  if (!key.empty() && where != "--set " + key) result += key + ": ";
  result += message;
  if (!hint.empty()) result += " (try: " + hint + ")";
  return result;
}

bool hasErrors(const std::vector<Problem>& problems) {
  return std::any_of(problems.begin(), problems.end(), [](const Problem& p) { return p.severity == Severity::Error; });
}

std::string toText(const std::vector<Problem>& problems) {
  std::string text;
  for (const auto& problem : problems) text += (text.empty() ? "" : "\n") + problem.text();
  return text;
}

}  // namespace roadtune::config
