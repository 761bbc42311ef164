// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <string_view>

namespace roadtune::policy {

// logging_strategy, eval_strategy, save_strategy.
enum class CadenceUnit { No, Steps, Epoch };

Result<CadenceUnit> parseCadenceUnit(std::string_view name);  // no | steps | epoch

// "Every so often." A value of *_steps below one is a share of the whole run, as in TrainingArguments.
class Cadence {
 public:
  Cadence() = default;  // never
  static Result<Cadence> make(CadenceUnit unit, double every, std::int64_t totalSteps, std::string_view key);

  // After `step` finished optimizer steps; `endOfEpoch` when the step closed an epoch.
  bool due(std::int64_t step, bool endOfEpoch) const;
  std::int64_t everySteps() const { return m_steps; }  // 0 when not counted in steps
  // A live edit, whatever it was counted in; 0: never again.
  void setEverySteps(std::int64_t steps) {
    m_unit = CadenceUnit::Steps;
    m_steps = steps > 0 ? steps : 0;
  }
  CadenceUnit unit() const { return m_unit; }

 private:
  CadenceUnit m_unit = CadenceUnit::No;
  std::int64_t m_steps = 0;
};

}  // namespace roadtune::policy
