// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::policy {

// lr_scheduler_type, by the names of transformers.
enum class ScheduleKind {
  Linear,
  Cosine,
  CosineWithRestarts,
  Polynomial,
  Constant,
  ConstantWithWarmup,
  InverseSqrt,
  CosineWithMinLr,
  CosineWarmupWithMinLr,
  WarmupStableDecay,
};

Result<ScheduleKind> parseScheduleKind(std::string_view name);
std::string_view name(ScheduleKind kind);
std::vector<std::string> scheduleNames();

// How warmup_stable_decay rises and falls: "linear", "cosine", "1-sqrt".
enum class RampShape { Linear, Cosine, OneMinusSqrt };

Result<RampShape> parseRampShape(std::string_view name, std::string_view where);
std::vector<std::string> rampShapeNames();

struct LrScheduleSpec {
  ScheduleKind kind = ScheduleKind::Linear;
  double learningRate = 5e-5;  // the base rate (polynomial decay ends at an absolute rate)
  std::int64_t warmupSteps = 0;
  std::int64_t totalSteps = 1;
  double numCycles = -1;          // < 0: the default of the kind (cosine 0.5, restarts 1)
  double power = 1.0;             // polynomial
  double lrEnd = 1e-7;            // polynomial
  double minLrRate = 0.0;         // cosine_with_min_lr, cosine_warmup_with_min_lr, warmup_stable_decay
  double warmupLrRate = -1;       // cosine_warmup_with_min_lr: where the warm-up begins; < 0: one part of it
  std::int64_t timescale = 0;     // inverse_sqrt; 0: warmupSteps, or 10,000 without a warm-up
  std::int64_t stableSteps = -1;  // warmup_stable_decay; < 0: total - warm-up - decay
  std::int64_t decaySteps = 0;    // warmup_stable_decay
  RampShape warmupShape = RampShape::Linear, decayShape = RampShape::Cosine;  // warmup_stable_decay
};

// Step -> factor of the base rate, exactly as transformers.get_scheduler computes it: factor(0) belongs to the first
// optimizer step, factor(k) to the one after k steps. A pure function.
class LrSchedule {
 public:
  static Result<LrSchedule> make(LrScheduleSpec spec);
  double factor(std::int64_t step) const;
  double rate(std::int64_t step) const { return factor(step) * m_spec.learningRate; }
  const LrScheduleSpec& spec() const { return m_spec; }

 private:
  explicit LrSchedule(LrScheduleSpec spec) : m_spec(spec) {}
  LrScheduleSpec m_spec;
};

// warmup_steps wins when above zero (a value below one is a share of the run), else ceil(total * warmup_ratio).
std::int64_t warmupSteps(double warmupSteps, double warmupRatio, std::int64_t totalSteps);

}  // namespace roadtune::policy
