// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/cadence.h"

#include <cmath>
#include <string>

namespace roadtune::policy {

Result<CadenceUnit> parseCadenceUnit(std::string_view name) {
  if (name == "no") return CadenceUnit::No;
  if (name == "steps") return CadenceUnit::Steps;
  if (name == "epoch") return CadenceUnit::Epoch;
  return badInput("'" + std::string(name) + "' is no strategy", {}, "no, steps, epoch");
}

Result<Cadence> Cadence::make(CadenceUnit unit, double every, std::int64_t totalSteps, std::string_view key) {
  Cadence cadence;
  cadence.m_unit = unit;
  if (unit != CadenceUnit::Steps) return cadence;
  if (!(every > 0)) return badInput("must be above 0", std::string(key));
  if (every >= 1 && every != std::floor(every))
    return badInput("must be a whole number of steps, or a share below 1", std::string(key));
  cadence.m_steps = static_cast<std::int64_t>(every < 1 ? std::ceil(static_cast<double>(totalSteps) * every) : every);
  return cadence;
}

bool Cadence::due(std::int64_t step, bool endOfEpoch) const {
  if (unit() == CadenceUnit::Epoch) return endOfEpoch;
  return unit() == CadenceUnit::Steps && m_steps > 0 && step > 0 && step % m_steps == 0;
}

}  // namespace roadtune::policy
