// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/lexer.h"
#include "core/data/query/query_plan.h"

namespace roadtune::data {

// A value as the user wrote it: a word, and a number when it reads as one ("40", "40px", "10%").
Operand operandOf(const Token& token);

}  // namespace roadtune::data
