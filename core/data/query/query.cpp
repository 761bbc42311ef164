// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/query.h"

#include "core/data/query/parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::data {

namespace {

// As a reader counts them: UTF-8 has several bytes for some.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool asksForUserDataIn(const QueryNode& node) {
  if (node.kind == QueryNode::Kind::Image) return node.field == ImageField::Tag || node.field == ImageField::Note;
  return std::any_of(node.children.begin(), node.children.end(),
                     [](const auto& child) { return asksForUserDataIn(*child); });
}

}  // namespace

std::string QueryError::text(std::string_view query) const {
  std::string shown(query);
  for (char& c : shown)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  const std::size_t begin = std::min(column, query.size());
  const std::size_t before = characters(query.substr(0, begin));
  const std::size_t marks = std::max<std::size_t>(1, characters(query.substr(begin, length)));
  std::string text = fmt::format("column {}: {}\n  {}\n  {}{}", before + 1, message, shown, std::string(before, ' '),
                                 std::string(marks, '^'));
  if (!suggestion.empty()) text += " did you mean: " + suggestion;
  return text;
}

std::optional<std::size_t> Query::limit() const { return m_plan->limit; }

bool Query::asksForUserData() const { return asksForUserDataIn(*m_plan->where); }

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
