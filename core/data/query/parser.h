// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/lexer.h"
#include "core/data/query/query_plan.h"

#include <memory>
#include <string_view>

namespace roadtune::data {

// Turns the text into a plan, or says in `error` where it is wrong (and answers null).
std::shared_ptr<const QueryPlan> parsePlan(std::string_view text, QueryError& error);

}  // namespace roadtune::data
