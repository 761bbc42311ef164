// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/evaluator.h"

namespace roadtune::data {

struct QueryEngine::Parts {
  explicit Parts(std::shared_ptr<const Index> index) : evaluator(std::move(index)) {}
  Evaluator evaluator;
};

}  // namespace roadtune::data
