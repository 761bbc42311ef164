// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/batch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roadtune::policy {

namespace {

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

Status check(const BatchSpec& spec) {
  if (spec.perDeviceBatch < 1) return badInput("must be at least 1", "per_device_train_batch_size");
  if (spec.accumulation < 1) return badInput("must be at least 1", "gradient_accumulation_steps");
  if (spec.worldSize < 1) return badInput("must be at least 1", "world size");
  if (spec.samples < 1) return badInput("the training set is empty", "train_data");
  if (spec.maxSteps <= 0 && !(spec.epochs > 0)) return badInput("must be above 0", "num_train_epochs");
  return {};
}

}  // namespace

BatchSpec batchSpecOf(const config::RunConfig& config, std::int64_t samples, std::int64_t worldSize) {
  return {.samples = samples,
          .perDeviceBatch = config.integer("per_device_train_batch_size"),
          .accumulation = std::max<std::int64_t>(1, config.integer("gradient_accumulation_steps")),
          .worldSize = worldSize,
          .dropLast = config.flag("dataloader_drop_last"),
          .epochs = config.number("num_train_epochs"),
          .maxSteps = config.integer("max_steps")};
}

Result<BatchPlan> BatchPlan::make(const BatchSpec& spec) {
  ROADTUNE_CHECK(check(spec));
  BatchPlan plan;
  plan.spec = spec;
  const std::int64_t batches =
      spec.dropLast ? spec.samples / spec.perDeviceBatch : ceilDivide(spec.samples, spec.perDeviceBatch);
  plan.microBatchesPerEpoch = spec.dropLast ? batches / spec.worldSize : ceilDivide(batches, spec.worldSize);
  if (plan.microBatchesPerEpoch == 0)
    return badInput(fmt::format("{} samples make no full batch of {} for each of {} ranks", spec.samples,
                                spec.perDeviceBatch, spec.worldSize),
                    "dataloader_drop_last", "a smaller per_device_train_batch_size, or dataloader_drop_last: false");
  plan.stepsPerEpoch = ceilDivide(plan.microBatchesPerEpoch, spec.accumulation);
  plan.effectiveBatch = spec.perDeviceBatch * spec.accumulation * spec.worldSize;
  if (spec.maxSteps > 0) {
    plan.totalSteps = spec.maxSteps;
    plan.epochs = ceilDivide(spec.maxSteps, plan.stepsPerEpoch);
  } else {
    plan.totalSteps = static_cast<std::int64_t>(std::ceil(spec.epochs * static_cast<double>(plan.stepsPerEpoch)));
    plan.epochs = static_cast<std::int64_t>(std::ceil(spec.epochs));
  }
  return plan;
}

std::int64_t BatchPlan::microBatches(std::int64_t stepInEpoch) const {
  const std::int64_t left = microBatchesPerEpoch - stepInEpoch * spec.accumulation;
  return std::clamp<std::int64_t>(left, 0, spec.accumulation);
}

double BatchPlan::epochAt(std::int64_t step) const {
  const std::int64_t whole = step / stepsPerEpoch;
  const std::int64_t done = std::min((step % stepsPerEpoch) * spec.accumulation, microBatchesPerEpoch);
  return static_cast<double>(whole) + static_cast<double>(done) / static_cast<double>(microBatchesPerEpoch);
}

std::vector<std::int64_t> BatchPlan::positions(std::int64_t microBatch, std::int64_t rank) const {
  const std::int64_t size = spec.perDeviceBatch;
  const std::int64_t begin = (microBatch * spec.worldSize + rank) * size;
  const bool wraps = spec.worldSize > 1 && !spec.dropLast;
  std::vector<std::int64_t> result;
  // With several ranks the last round is filled up from the first samples, so that all ranks have full batches.
  const std::int64_t head = std::min(spec.samples, size * spec.worldSize);
  for (std::int64_t at = begin; at < begin + size; ++at) {
    if (at < spec.samples) {
      result.push_back(at);
    } else if (wraps) {
      result.push_back((at - spec.samples) % head);
    }
  }
  return result;
}

}  // namespace roadtune::policy
