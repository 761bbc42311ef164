// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/operand.h"

#include "core/base/text.h"

#include <cmath>
#include <cstdlib>

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
  char* end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  if (!digits.empty() && end == digits.c_str() + digits.size() && std::isfinite(number)) result.number = number;
  return result;
}

}  // namespace roadtune::data
