// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/runs/run_catalogue.h"

#include <QString>

#include <vector>

namespace roadtune::widgets {

enum class RunOrder { Newest, Name, Loss, EvalLoss, State };

// For people, and for what is remembered.
struct RunOrderWords {
  RunOrder order;
  const char* key;
  QString text;
};
std::vector<RunOrderWords> runOrders();

// Whether `a` stands above `b`. What is equal is in the order of age, and a run without a loss is below those with one.
bool isBefore(const runs::RunEntry& a, const runs::RunEntry& b, RunOrder order);

}  // namespace roadtune::widgets
