// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/lr_schedule.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace roadtune::policy {

namespace {

constexpr std::array<std::pair<std::string_view, ScheduleKind>, 10> kSchedules = {
    {{"linear", ScheduleKind::Linear},
     {"cosine", ScheduleKind::Cosine},
     {"cosine_with_restarts", ScheduleKind::CosineWithRestarts},
     {"polynomial", ScheduleKind::Polynomial},
     {"constant", ScheduleKind::Constant},
     {"constant_with_warmup", ScheduleKind::ConstantWithWarmup},
     {"inverse_sqrt", ScheduleKind::InverseSqrt},
     {"cosine_with_min_lr", ScheduleKind::CosineWithMinLr},
     {"cosine_warmup_with_min_lr", ScheduleKind::CosineWarmupWithMinLr},
     {"warmup_stable_decay", ScheduleKind::WarmupStableDecay}}};

constexpr std::array<std::pair<std::string_view, RampShape>, 3> kShapes = {
    {{"linear", RampShape::Linear}, {"cosine", RampShape::Cosine}, {"1-sqrt", RampShape::OneMinusSqrt}}};

double share(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
}

double halfCosine(double turns) { return 0.5 * (1.0 + std::cos(std::numbers::pi * turns)); }

double polynomial(const LrScheduleSpec& spec, std::int64_t step) {
  if (step > spec.totalSteps) return spec.lrEnd / spec.learningRate;
  const double decaySteps = static_cast<double>(spec.totalSteps - spec.warmupSteps);
  const double remaining = decaySteps > 0 ? 1 - static_cast<double>(step - spec.warmupSteps) / decaySteps : 0;
  return ((spec.learningRate - spec.lrEnd) * std::pow(remaining, spec.power) + spec.lrEnd) / spec.learningRate;
}

double restarts(double progress, double cycles) {
  if (progress >= 1.0) return 0.0;
  return std::max(0.0, halfCosine(std::fmod(cycles * progress, 1.0)));
}

double rise(RampShape shape, double progress) {
  switch (shape) {
    case RampShape::Linear: return progress;
    case RampShape::Cosine: return 0.5 * (1.0 - std::cos(std::numbers::pi * progress));
    case RampShape::OneMinusSqrt: return 1.0 - std::sqrt(1.0 - progress);
  }
  return progress;
}

double fall(RampShape shape, double progress, double cycles) {
  switch (shape) {
    case RampShape::Linear: return 1.0 - progress;
    case RampShape::Cosine: return halfCosine(cycles * 2.0 * progress);
    case RampShape::OneMinusSqrt: return 1.0 - std::sqrt(progress);
  }
  return 1.0 - progress;
}

// Stable after the warm-up, then down to the smallest rate, where it stays. In a run too short for both the decay is
// under way when the warm-up ends: it is over with the run's last step either way.
double stableDecay(const LrScheduleSpec& spec, std::int64_t step) {
  const auto scaled = [&](double factor) { return factor * (1.0 - spec.minLrRate) + spec.minLrRate; };
  if (step < spec.warmupSteps) return std::max(0.0, scaled(rise(spec.warmupShape, share(step, spec.warmupSteps))));
  const std::int64_t decayBegin = spec.warmupSteps + spec.stableSteps;
  if (step < decayBegin) return 1.0;
  if (step >= decayBegin + spec.decaySteps) return spec.minLrRate;
  return std::max(0.0, scaled(fall(spec.decayShape, share(step - decayBegin, spec.decaySteps), spec.numCycles)));
}

// One step ahead of the other schedules, so that no step is taken with a rate of 0.
double cosineWarmup(const LrScheduleSpec& spec, std::int64_t step) {
  if (step < spec.warmupSteps) {
    if (spec.warmupLrRate < 0) return share(step + 1, spec.warmupSteps);
    return spec.warmupLrRate + (1.0 - spec.warmupLrRate) * share(step, spec.warmupSteps - 1);
  }
  const double progress = share(step - spec.warmupSteps + 1, spec.totalSteps - spec.warmupSteps);
  return std::max(0.0, halfCosine(spec.numCycles * 2.0 * progress) * (1 - spec.minLrRate) + spec.minLrRate);
}

void fillDefaults(LrScheduleSpec& spec) {
  if (spec.numCycles < 0) spec.numCycles = spec.kind == ScheduleKind::CosineWithRestarts ? 1.0 : 0.5;
  if (spec.timescale <= 0) spec.timescale = spec.warmupSteps > 0 ? spec.warmupSteps : 10000;
  if (spec.kind == ScheduleKind::WarmupStableDecay && spec.stableSteps < 0)
    spec.stableSteps = spec.totalSteps - spec.warmupSteps - spec.decaySteps;
}

}  // namespace

Result<ScheduleKind> parseScheduleKind(std::string_view text) {
  for (const auto& [known, kind] : kSchedules)
    if (known == text) return kind;
  const std::string nearest = nearestWord(text, scheduleNames());
  return badInput(fmt::format("'{}' is no schedule", text), "lr_scheduler_type",
                  nearest.empty() ? join(scheduleNames(), ", ") : nearest);
}

std::string_view name(ScheduleKind kind) {
  for (const auto& [known, value] : kSchedules)
    if (value == kind) return known;
  return "";
}

std::vector<std::string> scheduleNames() {
  std::vector<std::string> names;
  for (const auto& [known, kind] : kSchedules) names.emplace_back(known);
  return names;
}

Result<RampShape> parseRampShape(std::string_view text, std::string_view where) {
  for (const auto& [known, shape] : kShapes)
    if (known == text) return shape;
  return badInput(fmt::format("'{}' is no shape", text), std::string(where), join(rampShapeNames(), ", "));
}

std::vector<std::string> rampShapeNames() {
  std::vector<std::string> names;
  for (const auto& [known, shape] : kShapes) names.emplace_back(known);
  return names;
}

Result<LrSchedule> LrSchedule::make(LrScheduleSpec spec) {
  if (spec.warmupSteps < 0) return badInput("must not be negative", "warmup_steps");
  if (spec.totalSteps < 1) return badInput("a schedule needs at least one step", "max_steps");
  fillDefaults(spec);
  if (spec.kind == ScheduleKind::Polynomial && !(spec.learningRate > spec.lrEnd))
    return badInput(fmt::format("the end rate {} must be below the learning rate {}", spec.lrEnd, spec.learningRate),
                    "lr_scheduler_kwargs.lr_end");
  return LrSchedule(spec);
}

double LrSchedule::factor(std::int64_t step) const {
  const LrScheduleSpec& spec = m_spec;
  if (spec.kind == ScheduleKind::Constant) return 1.0;
  if (spec.kind == ScheduleKind::WarmupStableDecay) return stableDecay(spec, step);
  if (spec.kind == ScheduleKind::CosineWarmupWithMinLr) return cosineWarmup(spec, step);
  if (step < spec.warmupSteps) return share(step, spec.warmupSteps);
  const double progress = share(step - spec.warmupSteps, spec.totalSteps - spec.warmupSteps);
  switch (spec.kind) {
    case ScheduleKind::Linear: return std::max(0.0, share(spec.totalSteps - step, spec.totalSteps - spec.warmupSteps));
    case ScheduleKind::Cosine: return std::max(0.0, halfCosine(spec.numCycles * 2.0 * progress));
    case ScheduleKind::CosineWithRestarts: return restarts(progress, spec.numCycles);
    case ScheduleKind::CosineWithMinLr:
      return std::max(0.0, halfCosine(spec.numCycles * 2.0 * progress) * (1 - spec.minLrRate) + spec.minLrRate);
    case ScheduleKind::Polynomial: return polynomial(spec, step);
    case ScheduleKind::InverseSqrt:
      return 1.0 / std::sqrt(static_cast<double>(step + spec.timescale - spec.warmupSteps) /
                             static_cast<double>(spec.timescale));
    default: return 1.0;
  }
}

std::int64_t warmupSteps(double warmupSteps, double warmupRatio, std::int64_t totalSteps) {
  if (warmupSteps >= 1) return static_cast<std::int64_t>(warmupSteps);
  const double part = warmupSteps > 0 ? warmupSteps : warmupRatio;
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(totalSteps) * part));
}

}  // namespace roadtune::policy
