// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/operand.h"

#include "core/base/text.h"

#include <charconv>
#include <cmath>

namespace roadtune::data {

Operand operandOf(const Token& token) {
  Operand result{.text = token.lowered, .place = {token.column, token.length}, .typed = token.text};
  if (token.kind != Token::Kind::Word) return result;
  std::string digits = token.lowered;
  if (endsWith(digits, "%")) {
    result.percent = true;
    digits.pop_back();
  } else if (endsWith(digits, "px")) {
    digits.resize(digits.size() - 2);
  }
  if (startsWith(digits, "+") && !startsWith(digits, "+-")) digits.erase(0, 1);
  double number = 0;  // read alike in every locale
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size() && std::isfinite(number)) result.number = number;
  return result;
}

}  // namespace roadtune::data
