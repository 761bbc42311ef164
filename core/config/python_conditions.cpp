// SPDX-License-Identifier: GPL-3.0-or-later
// Which conditions of a Python program are known to hold.
#include "core/base/text.h"
#include "core/config/code_words.h"
#include "core/config/python_code.h"
#include "core/config/scalars.h"

#include <algorithm>
#include <iterator>

namespace roadtune::config {
namespace {

constexpr const char* kComparisons[] = {" is not ", " is ", " == ", " != ", " <= ", " >= ", " < ", " > "};

std::string_view withoutParentheses(std::string_view text) {
  text = trim(text);
  while (text.size() > 1 && text.front() == '(' && text.find(')') == text.size() - 1)
    text = trim(text.substr(1, text.size() - 2));
  return text;
}

std::vector<std::string_view> splitAtWord(std::string_view text, std::string_view word) {
  std::vector<std::string_view> parts;
  for (auto found = text.find(word); found != std::string_view::npos; found = text.find(word)) {
    parts.push_back(text.substr(0, found));
    text.remove_prefix(found + word.size());
  }
  parts.push_back(text);
  return parts;
}

std::optional<bool> compared(const YamlNode& left, std::string_view sign, const YamlNode& right) {
  if (sign[0] == '<' || sign[0] == '>') {
    const auto a = parseNumber(left.text), b = parseNumber(right.text);
    if (!a || !b) return std::nullopt;
    const bool less = sign[0] == '<' ? *a < *b : *a > *b;
    return less || (sign.size() == 2 && *a == *b);
  }
  const bool same = left.isNull() == right.isNull() && left.text == right.text;
  return same == (sign == "is" || sign == "==");
}

}  // namespace

// `a == b` and `not a` are values, too; `a or b` may be either of them.
std::optional<YamlNode> PythonCode::comparison(std::string_view part) const {
  const auto has = [part](std::string_view sign) { return part.find(sign) != std::string_view::npos; };
  const bool compares = startsWith(part, "not ") || std::any_of(std::begin(kComparisons), std::end(kComparisons), has);
  const auto truth = compares && !has(" or ") && !has("lambda") ? truthOf(part, 1) : std::nullopt;
  return truth ? std::optional(nodeAt(offsetOf(part), *truth ? "true" : "false")) : std::nullopt;
}

// Conditions joined with `not`, `and` and `or`.
std::optional<bool> PythonCode::truthOf(std::string_view condition, int depth) const {
  if (depth > kDeepestPython) return std::nullopt;
  bool unknown = false;
  for (const std::string_view alternative : splitAtWord(withoutParentheses(condition), " or ")) {
    bool all = true, open = false;
    for (std::string_view part : splitAtWord(alternative, " and ")) {
      part = withoutParentheses(part);
      const bool negated = startsWith(part, "not ");
      const auto truth = plainTruthOf(withoutParentheses(negated ? part.substr(4) : part), depth);
      if (!truth)
        open = true;
      else if (*truth == negated)
        all = false;
    }
    if (all && !open) return true;
    unknown = unknown || (all && open);
  }
  return unknown ? std::nullopt : std::optional<bool>(false);
}

// One value, or two compared. A run here has what it needs of a card.
std::optional<bool> PythonCode::plainTruthOf(std::string_view condition, int depth) const {
  if (condition == "torch.cuda.is_available()" || condition == "torch.cuda.is_bf16_supported()") return true;
  for (const char* sign : kComparisons) {
    const auto sides = splitAtWord(condition, sign);
    if (sides.size() != 2) continue;
    const auto left = valueOf(sides[0], depth), right = valueOf(sides[1], depth);
    return left && right ? compared(*left, trim(sign), *right) : std::nullopt;
  }
  const auto value = valueOf(condition, depth);
  if (!value) return std::nullopt;
  if (value->isNull()) return false;
  if (!value->isScalar()) return !value->items.empty() || !value->entries.empty();
  if (value->quoted) return !value->text.empty();
  if (const auto number = parseNumber(value->text)) return *number != 0;
  if (value->text == "true" || value->text == "false") return value->text == "true";
  return std::nullopt;
}

}  // namespace roadtune::config
