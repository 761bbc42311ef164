// SPDX-License-Identifier: GPL-3.0-or-later
// Learning rates, step counts and the split of batches among ranks, against transformers and accelerate themselves.
#include "core/policy/batch_plan.h"
#include "core/policy/lr_schedule.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roadtune::policy {
namespace {

using nlohmann::json;
using testing::TempFolder;

json rateCases() {
  json cases = json::array();
  for (const auto& name : scheduleNames()) {
    for (const auto& [warmup, total] : {std::pair{0, 10}, {3, 10}, {7, 40}, {5, 5}, {2, 101}}) {
      if (name == "polynomial" && warmup == total) continue;  // divides by zero there
      json one = {{"name", name}, {"warmup", warmup}, {"total", total}, {"lr", 3e-4}, {"steps", total + 5}};
      if (name == "cosine_with_restarts") one["extra"] = {{"num_cycles", 3}};
      if (name == "cosine") one["extra"] = {{"num_cycles", 1.25}};
      if (name == "polynomial") one["extra"] = {{"power", 2.5}, {"lr_end", 1e-5}};
      if (name == "inverse_sqrt") one["extra"] = {{"timescale", 17}};
      if (name == "cosine_with_min_lr") one["extra"] = {{"min_lr_rate", 0.1}};
      if (name == "cosine_warmup_with_min_lr") {
        one["extra"] = {{"min_lr_rate", 0.1}, {"warmup_lr_rate", 0.3}};
        cases.push_back(one);
        one["extra"].erase("warmup_lr_rate");
      }
      if (name == "warmup_stable_decay") {
        one["extra"] = {{"num_decay_steps", 4}, {"min_lr_ratio", 0.05}};
        for (const auto& [rise, fall] : {std::pair{"cosine", "linear"}, {"1-sqrt", "1-sqrt"}}) {
          json shaped = one;
          shaped["extra"].update({{"warmup_type", rise}, {"decay_type", fall}});
          cases.push_back(shaped);
        }
      }
      cases.push_back(one);
      if (name.find("min_lr") != std::string::npos || name == "warmup_stable_decay") continue;
      one.erase("extra");
      cases.push_back(one);
    }
  }
  return cases;
}

json batchCases() {
  json cases = json::array();
  for (const int samples : {1, 7, 16, 33, 100})
    for (const int batch : {1, 4, 8})
      for (const int world : {1, 2, 3, 4})
        for (const bool drop : {false, true})
          for (const int accumulation : {1, 3})
            for (const auto& [epochs, maxSteps] : {std::pair{1.0, -1}, {2.5, -1}, {3.0, 11}}) {
              if (drop && samples / batch / world == 0) continue;
              cases.push_back({{"samples", samples},
                               {"batch", batch},
                               {"world", world},
                               {"drop_last", drop},
                               {"accumulation", accumulation},
                               {"epochs", epochs},
                               {"max_steps", maxSteps}});
            }
  return cases;
}

BatchSpec specOf(const json& one) {
  BatchSpec spec;
  spec.samples = one["samples"];
  spec.perDeviceBatch = one["batch"];
  spec.worldSize = one["world"];
  spec.dropLast = one["drop_last"];
  spec.accumulation = one["accumulation"];
  spec.epochs = one["epochs"];
  spec.maxSteps = one["max_steps"];
  return spec;
}

class AgainstTransformers : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    TempFolder folder;
    json batches = batchCases(), plans = json::array();
    for (std::size_t i = 0; i < batches.size(); i += 7) plans.push_back(batches[i]);  // each builds a Trainer
    s_request = {{"rates", rateCases()}, {"shards", batches}, {"plans", plans}, {"warmups", json::array()}};
    for (const double steps : {0.0, 0.03, 0.5, 1.0, 12.0})
      for (const int total : {1, 33, 1000}) s_request["warmups"].push_back({{"warmup_steps", steps}, {"total", total}});
    const auto path = folder.write("request.json", s_request.dump());
    const auto result = testing::runProgram(
        {testing::oraclePython(), std::string(ROADTUNE_SOURCE_DIR) + "/tests/parity/runs/schedules.py", path.string()},
        {.timeoutSeconds = 280});
    ASSERT_EQ(result.exitCode, 0) << result.err;
    s_reference = json::parse(result.out);
  }
  static json s_request, s_reference;
};

json AgainstTransformers::s_request;
json AgainstTransformers::s_reference;

LrScheduleSpec specOfRate(const json& one) {
  LrScheduleSpec spec;
  spec.kind = parseScheduleKind(one["name"].get<std::string>()).value();
  spec.learningRate = one["lr"];
  spec.warmupSteps = one["warmup"];
  spec.totalSteps = one["total"];
  const json extra = one.value("extra", json::object());
  spec.numCycles = extra.value("num_cycles", -1.0);
  spec.power = extra.value("power", 1.0);
  spec.lrEnd = extra.value("lr_end", 1e-7);
  spec.timescale = extra.value("timescale", 0);
  spec.minLrRate = extra.value("min_lr_rate", extra.value("min_lr_ratio", 0.0));
  spec.warmupLrRate = extra.value("warmup_lr_rate", -1.0);
  spec.warmupShape = parseRampShape(extra.value("warmup_type", "linear"), "").value();
  spec.decayShape = parseRampShape(extra.value("decay_type", "cosine"), "").value();
  spec.decaySteps = extra.value("num_decay_steps", 0);
  return spec;
}

TEST_F(AgainstTransformers, EveryScheduleGivesTheSameRates) {
  std::size_t compared = 0;
  for (std::size_t i = 0; i < s_request["rates"].size(); ++i) {
    const json& one = s_request["rates"][i];
    const auto schedule = LrSchedule::make(specOfRate(one));
    ASSERT_TRUE(schedule.ok()) << one << schedule.error().text();
    const auto expected = s_reference["rates"][i].get<std::vector<double>>();
    for (std::size_t step = 0; step < expected.size(); ++step, ++compared)
      ASSERT_NEAR(schedule.value().rate(static_cast<std::int64_t>(step)), expected[step],
                  1e-18 + 1e-14 * expected[step])
          << one << " step " << step;
  }
  EXPECT_GT(compared, 2000u);
}

TEST_F(AgainstTransformers, RanksGetTheSameSamples) {
  for (std::size_t i = 0; i < s_request["shards"].size(); ++i) {
    const json& one = s_request["shards"][i];
    const auto plan = BatchPlan::make(specOf(one));
    ASSERT_TRUE(plan.ok()) << one;
    for (std::int64_t rank = 0; rank < plan.value().spec.worldSize; ++rank) {
      const auto expected =
          s_reference["shards"][i][static_cast<std::size_t>(rank)].get<std::vector<std::vector<std::int64_t>>>();
      ASSERT_EQ(plan.value().microBatchesPerEpoch, static_cast<std::int64_t>(expected.size())) << one;
      for (std::size_t batch = 0; batch < expected.size(); ++batch)
        ASSERT_EQ(plan.value().positions(static_cast<std::int64_t>(batch), rank), expected[batch])
            << one << " rank " << rank << " batch " << batch;
    }
  }
}

TEST_F(AgainstTransformers, StepsAndEpochsAreCountedAlike) {
  for (std::size_t i = 0; i < s_request["plans"].size(); ++i) {
    const auto plan = BatchPlan::make(specOf(s_request["plans"][i]));
    ASSERT_TRUE(plan.ok());
    const json& expected = s_reference["plans"][i];
    EXPECT_EQ(plan.value().microBatchesPerEpoch, expected["micro"]) << s_request["plans"][i];
    EXPECT_EQ(plan.value().stepsPerEpoch, expected["per_epoch"]) << s_request["plans"][i];
    EXPECT_EQ(plan.value().totalSteps, expected["total"]) << s_request["plans"][i];
    EXPECT_EQ(plan.value().epochs, expected["epochs"]) << s_request["plans"][i];
  }
}

TEST_F(AgainstTransformers, WarmUpsAreCountedAlike) {
  for (std::size_t i = 0; i < s_request["warmups"].size(); ++i) {
    const json& one = s_request["warmups"][i];
    EXPECT_EQ(warmupSteps(one["warmup_steps"], 0, one["total"]), s_reference["warmups"][i]) << one;
  }
}

}  // namespace
}  // namespace roadtune::policy
