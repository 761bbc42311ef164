// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query_plan.h"

#include <string>

namespace roadtune::data {

// Texts under which answers are kept: equal texts mean equal answers.
std::string keyOf(const BoxExpr& expr);
std::string keyOf(const BoxTerm& term);
std::string keyOf(const SortOrder& order);

}  // namespace roadtune::data
