// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/query.h"

#include "core/data/query/parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::data {

std::string QueryError::text(std::string_view query) const {
  std::string shown(query);
  for (char& c : shown)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  const std::size_t marks =
      std::max<std::size_t>(1, std::min(length, query.size() > column ? query.size() - column : 1));
  std::string text = fmt::format("column {}: {}\n  {}\n  {}{}", column + 1, message, shown, std::string(column, ' '),
                                 std::string(marks, '^'));
  if (!suggestion.empty()) text += " did you mean: " + suggestion;
  return text;
}

Result<Query> Query::parse(std::string_view text) {
  QueryError where;
  return parse(text, where);
}

Result<Query> Query::parse(std::string_view text, QueryError& where) {
  Query query;
  query.m_text = std::string(text);
  query.m_plan = parsePlan(query.m_text, where);
  if (!query.m_plan) return badInput(where.text(text));
  return query;
}

}  // namespace roadtune::data
